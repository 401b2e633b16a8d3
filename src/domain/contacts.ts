/**
 * Finds e-mail addresses and phone numbers in a biography, or hides them there and in links. Digits that may also be a date, a price or a count are left
 * out: a wrong number is worse than none. Every pattern is bounded, so that no text makes it slow.
 */
import { uniqueBy } from "./unique-by.ts";

const EMAIL = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}][\p{L}\p{N}._%+-]{0,63}@(?:[\p{L}\p{N}-]{1,63}\.){1,6}\p{L}{2,24}/gu;

/** Digits, each with at most one separator before it; one line, not inside a word, a name, a link or a longer number. */
const PHONE =
  /(?<![\p{L}\p{N}_@#/=]|\d[.,:])\(?\+? ?\(?\d(?:(?:\)[ .\-\u00a0]?|[ .\-\u00a0]?\(|[ .\-/\u00a0\u2010-\u2013])?\d){6,40}(?![\p{L}\p{N}_@]|[,:]\d)/gu;

const DATES = [
  /(?:19|20)\d{2}[./-]\d{1,2}[./-]\d{1,2}/,
  /\d{1,2}[./-]\d{1,2}[./-](?:19|20)\d{2}/,
  /(?:^| )\d{1,2}([./-])\d{1,2}\1\d{2}(?: |$)/,
  /^(?:19|20)\d{2}[-\u2010-\u2013/. ](?:19|20)\d{2}$/,
  /^(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/,
  /^(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])(?:19|20)\d{2}$/,
];
const OPENING_HOURS = /^\d{1,2}\.\d{2}[-\u2010-\u2013]\d{1,2}\.\d{2}$/;

/** 1.250.000 or 12 500 000. Three groups of three with spaces are mobile numbers in several countries. */
const GROUPED = /^[1-9]\d{0,2}(?:\.\d{3}){2,}$|^[1-9]\d?(?: \d{3}){2,}$/;
const ROUND = /^[1-9]\d*000$/;

const MONEY_WORD = "usd|eur|gbp|chf|jpy|inr|brl|aud|cad|euros?|dollars?|pounds?";
const MONEY_BEFORE = new RegExp(`(?:\\p{Sc}|\\b(?:${MONEY_WORD}))[ \\u00a0]?$`, "iu");
const MONEY_AFTER = new RegExp(`^[ \\u00a0]?(?:\\p{Sc}|%|(?:${MONEY_WORD})\\b)`, "iu");

/** As written, without duplicates. */
export function findEmails(text: string): string[] {
  return uniqueBy(text.match(EMAIL) ?? [], (email) => email.toLowerCase());
}

/** As written, without duplicates: 7 to 15 digits, in international or local form. */
export function findPhones(text: string): string[] {
  const found: string[] = [];
  replacePhones(text, (phone) => {
    found.push(phone);
    return phone;
  });
  return uniqueBy(found, onlyDigits);
}

/** The text as clients see it that may not see contacts. */
export function hideContacts(text: string): string {
  return replacePhones(text.replaceAll(EMAIL, HIDDEN), () => HIDDEN);
}

/** A mail, call or chat with an address or a number, or what a number sells. */
const CONTACT_LINK =
  /^(?:(?:mailto|tel|sms|smsto|callto|facetime|whatsapp|viber|skype):|(?:https?:\/\/)?(?:www\.)?(?:wa\.me\/(?:[cp]\/)?\+?\d|whatsapp\.com\/catalog\/\d|(?:api|web)\.whatsapp\.com\/send\/?\?[^#]*phone=|signal\.me\/#p\/|t\.me\/\+\d{7}))/i;

/** A link as clients see it that may not see contacts: empty if it is one. */
export function hideContactLink(link: string): string {
  const parameters = URL.parse(link)?.searchParams;
  // Platforms redirect to other sites.
  const targets = [link, parameters?.get("u") ?? "", parameters?.get("target") ?? ""];
  const isContact = targets.some(isContactLink) || (!link.includes("/") && hideContacts(link) !== link);
  return isContact ? "" : link;
}

function isContactLink(link: string): boolean {
  const target = link.trim();
  if (CONTACT_LINK.test(target)) return true;
  // An address that was typed as a website is one with a user name.
  const url = URL.parse(/^https?:/i.test(target) ? target : `http://${target}`);
  return url !== null && url.username !== "" && url.pathname === "/";
}

const HIDDEN = "[hidden]";

function replacePhones(text: string, replace: (phone: string) => string): string {
  return text.replaceAll(PHONE, (match: string, at: number) => {
    const before = text.slice(Math.max(0, at - 12), at);
    const after = text.slice(at + match.length, at + match.length + 12);
    const candidate = withoutLoneBracket(match.trim());
    if (!isPhone(candidate) || MONEY_BEFORE.test(before) || MONEY_AFTER.test(after)) return match;
    return match.replace(candidate, () => replace(candidate));
  });
}

function isPhone(candidate: string): boolean {
  const digits = onlyDigits(candidate);
  if (digits.length < 7 || digits.length > 15) return false;
  if (candidate.includes("+")) return true;
  const groups = candidate.split(/\D+/).filter((group) => group !== "");
  // "1 2 3 4 5 6 7" is a list, not a number.
  if (groups.filter((group) => group.length === 1).length > groups.length / 2) return false;
  return ![...DATES, OPENING_HOURS, GROUPED, ROUND].some((pattern) => pattern.test(candidate));
}

function withoutLoneBracket(candidate: string): string {
  return candidate.startsWith("(") && !candidate.includes(")") ? candidate.slice(1) : candidate;
}

function onlyDigits(text: string): string {
  return text.replaceAll(/\D/g, "");
}
