/** Time-outs that are fair to the other side. */
import { AnswerLate } from "./faults.ts";

/** Calls after so long. What arrived while this process was busy is seen first, so that it is not called late. */
export function afterwards(milliseconds: number, call: () => void): NodeJS.Timeout {
  return setTimeout(() => setImmediate(call), milliseconds);
}

export function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = afterwards(milliseconds, () => reject(new AnswerLate(`no answer within ${milliseconds} ms`)));
    const end = () => clearTimeout(timer);
    work.then(resolve, reject).then(end, end);
  });
}
