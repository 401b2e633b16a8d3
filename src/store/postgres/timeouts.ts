/** Time-outs that are fair to the other side. */
import { QueryTimeout } from "./connection-errors.ts";

/** Calls after so long. What arrived while this process was busy is seen first, so that it is not called late. */
export function setFairTimeout(milliseconds: number, call: () => void): NodeJS.Timeout {
  return setTimeout(() => setImmediate(call), milliseconds);
}

export function withTimeout<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setFairTimeout(milliseconds, () => reject(new QueryTimeout(`no answer within ${milliseconds} ms`)));
    const end = () => clearTimeout(timer);
    work.then(resolve, reject).then(end, end);
  });
}
