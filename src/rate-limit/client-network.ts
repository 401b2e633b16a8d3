/** What limits per client count by. */
import { isIPv6 } from "node:net";

/** A client has all addresses of its /64 network in IPv6. */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes(".")) return address;
  const [head = "", tail] = address.split("::");
  const groups = head.split(":");
  if (tail !== undefined) while (groups.length + tail.split(":").length < 8) groups.push("0");
  return groups.slice(0, 4).join(":");
}
