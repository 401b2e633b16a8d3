import { BlockList, isIPv6 } from "node:net";

/** Returns whether an address is one of these addresses, or in one of these networks. */
export function createProxyCheck(networks: readonly string[]): (address: string) => boolean {
  if (networks.length === 0) return () => false;
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    const family = familyOf(address);
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  // An IPv4 address in IPv6 notation is found by the rules of IPv4.
  return (address) => list.check(address, familyOf(address));
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIPv6(address) ? "ipv6" : "ipv4";
}
