import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { findEmails, findPhones, hideContactLink, hideContacts } from "./contacts.ts";

test("e-mail addresses are found as written, without duplicates", () => {
  assert.deepEqual(
    findEmails("Bookings: Hello@Luna-Kitchen.example.com. press+eu@luna.example, hello@luna-kitchen.example.com"),
    ["Hello@Luna-Kitchen.example.com", "press+eu@luna.example"],
  );
  assert.deepEqual(findEmails("📩joséphine@café.example✨"), ["joséphine@café.example"]);
});

test("handles, incomplete addresses and prices with @ are not e-mail addresses", () => {
  for (const text of ["with @luna.marchetti", "me @ home", "luna@localhost", "@.com", "2 @ 3.50", ""]) {
    assert.deepEqual(findEmails(text), [], text);
  }
});

test("phone numbers are found in international and local forms", () => {
  const numbers = [
    "+39 055 0100 199",
    "+1 (555) 010-0199",
    "+44 (0)20 7946 0000",
    "(+39) 055 0100199",
    "(555) 010-0142",
    "555-0142",
    "555.010.0142",
    "06 12 34 56 78",
    "06.12.34.56.78",
    "612 345 678",
    "030/1234567",
    "00393330100199",
    "5550100142",
    "+3933301001",
    "+49 2012-10-110",
    "1 2 555 0142",
    "+123456789012345",
  ];
  for (const number of numbers) {
    assert.deepEqual(findPhones(number), [number], number);
    assert.deepEqual(findPhones(`Chef in Turin\n📞${number}\nopen daily`), [number], number);
    assert.deepEqual(findPhones(`call ${number}, or tel:${number}.`), [number], number);
  }
});

test("several numbers in one biography are separated", () => {
  assert.deepEqual(findPhones("+39 055 0100199 / +39 055 0100198\n(5550100142)"), [
    "+39 055 0100199",
    "+39 055 0100198",
    "5550100142",
  ]);
  assert.deepEqual(findPhones("+39 055 0100199, +39-055-0100199"), ["+39 055 0100199"]);
});

test("dates, years and opening hours are not phone numbers", () => {
  const texts = [
    "2024-05-17",
    "17.05.2024",
    "05/17/2024",
    "17.05.24 19.05.24",
    "12-14.05.2024",
    "2019-2024",
    "2019–2024",
    "20240517",
    "17052024",
    "10.30-18.00",
    "Mo-Fr 10:00-18:00",
    "born 17.05.1990 in Turin",
  ];
  for (const text of texts) assert.deepEqual(findPhones(text), [], text);
});

test("prices and counts are not phone numbers", () => {
  const texts = [
    "$1200000",
    "€ 1.250.000",
    "1250499 EUR",
    "1 250 499 €",
    "USD 1250499",
    "dollars 1250499",
    "1,000,000 views",
    "1.000.000 views",
    "12 500 000 streams",
    "1000000 followers",
    "1 2 3 4 5 6 7",
  ];
  for (const text of texts) assert.deepEqual(findPhones(text), [], text);
});

test("digits inside names, links and longer numbers are not phone numbers", () => {
  const texts = [
    "@5550100142",
    "#5550100142",
    "example.com/5550100142",
    "luna5550100142",
    "5550100142@luna.example",
    "1234567890123456",
    "123456",
  ];
  for (const text of texts) assert.deepEqual(findPhones(text), [], text);
});

test("every number found has 7 to 15 digits and occurs in the text", () => {
  const units = fc.constantFrom(..."0123456789".split(""), "+", "(", ")", " ", ".", "-", "/", ",", "€", "a", "\n");
  fc.assert(
    fc.property(fc.string({ unit: units, maxLength: 60 }), (text) => {
      for (const phone of findPhones(text)) {
        assert.ok(text.includes(phone));
        assert.match(phone.replaceAll(/\D/g, ""), /^\d{7,15}$/);
      }
    }),
    { numRuns: 2_000 },
  );
});

test("long hostile texts do not slow the search down", () => {
  const before = process.cpuUsage();
  for (const unit of ["1", "1 ", "a.", "a@", "(", "a-1.", "1-"]) {
    const text = unit.repeat(10_000);
    assert.ok(Array.isArray(findPhones(text)) && Array.isArray(findEmails(text)));
  }
  // A few milliseconds each; a search whose time grows with the square of the length takes seconds.
  const { user } = process.cpuUsage(before);
  assert.ok(user < 1_000_000, `${user} µs`);
});

test("contacts are hidden, and nothing else", () => {
  assert.equal(
    hideContacts("Bookings: luna@kitchen.example or +39 055 0100199. Since 2019, 1.250.000 fans, @luna.marchetti"),
    "Bookings: [hidden] or [hidden]. Since 2019, 1.250.000 fans, @luna.marchetti",
  );
  assert.equal(hideContacts("Street kitchens"), "Street kitchens");
  assert.equal(hideContacts("Kitchen (055 0100199, daily)"), "Kitchen ([hidden], daily)");
  fc.assert(
    fc.property(fc.string(), fc.constantFrom("a.b@c.example", "+39 055 0100199"), (text, contact) => {
      const hidden = hideContacts(`${text} ${contact} `);
      assert.deepEqual([findEmails(hidden), findPhones(hidden)], [[], []]);
    }),
  );
});

test("links to an address or a number are empty, and no others", () => {
  for (const link of [
    "mailto:luna@kitchen.example",
    "MAILTO:luna@kitchen.example?subject=hello",
    "luna@kitchen.example",
    "tel:+390550100199",
    "+39 055 0100199",
    "https://wa.me/390550100199",
    "wa.me/390550100199",
    "https://api.whatsapp.com/send?text=hello&phone=390550100199",
    "https://t.me/+390550100199",
    "https://signal.me/#p/+390550100199",
    "https://l.photos.example/?u=mailto%3Aluna%40kitchen.example&e=1",
    "https://videos.example/link/v2?target=https%3A%2F%2Fwa.me%2F390550100199",
    "http://luna@kitchen.example/",
    "HTTP://luna@kitchen.example/",
    " https://wa.me/390550100199",
    "luna@kitchen.example/",
    "https://l.photos.example/?u=http%3A%2F%2Fluna%40kitchen.example%2F%3Ffrom%3Dprofile&e=1",
    "https://l.photos.example/?u=luna%40kitchen.example",
    "https://wa.me/c/390550100199",
    "https://wa.me/p/4711/390550100199",
    "https://www.whatsapp.com/catalog/390550100199/",
    "https://wa.me/390550100199?u=1",
    "mailto:luna@kitchen.example?target=x",
    "https://videos.example/link?u=1&target=tel%3A%2B390550100199",
  ])
    assert.equal(hideContactLink(link), "", link);
  for (const link of [
    "",
    "kitchen.example",
    "https://kitchen.example/mailto:us",
    "https://social.example/@luna@kitchen.example",
    "https://wa.me/message/ABC",
    "https://api.whatsapp.com/send?text=hello",
    "https://t.me/luna",
    "https://l.photos.example/?u=https%3A%2F%2Fkitchen.example%2F",
    "https://shop.example/items/390550100199",
    "https://shop.example/?u=390550100199",
    "https://git@code.example/luna/recipes",
    "https://www.whatsapp.com/channel/ABC",
    "@luna.marchetti",
    "not a link",
  ])
    assert.equal(hideContactLink(link), link);
});
