/**
 * Many releases of Node decode windows-1252, and all text labelled iso-8859-1 or us-ascii, as if the bytes 0x80 to
 * 0x9F were control characters. This code works in every release.
 */

/** Characters of the bytes 0x80 to 0x9F; five have none and stay control characters. */
const upperControls =
	'\u20AC\u0081\u201A\u0192\u201E\u2026\u2020\u2021\u02C6\u2030\u0160\u2039\u0152\u008D\u017D\u008F' +
	'\u0090\u2018\u2019\u201C\u201D\u2022\u2013\u2014\u02DC\u2122\u0161\u203A\u0153\u009D\u017E\u0178';

/** Text of iso-8859-1 as windows-1252, the usual meaning of both labels. */
export function withWindows1252(text: string): string {
	return text.replaceAll(/[\u0080-\u009F]/g, (control) => upperControls.charAt(control.charCodeAt(0) - 0x80));
}
