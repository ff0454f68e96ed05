import { decodeWords } from '../../mail/encodedWords.ts';
import { firstAddress, parseHeaders } from '../../mail/mailHeaders.ts';
import type { Email } from '../../lists/mailModel.ts';

/** All headers of a name, in order, decoded. */
export function headersOf({ text }: Email, name: string): readonly string[] {
	const [head = ''] = text.split('\r\n\r\n', 1);
	return parseHeaders(head).flatMap(([each, value]) =>
		each.toLowerCase() === name.toLowerCase() ? [decodeWords(value)] : [],
	);
}

/** A name and an address in a header. */
export interface NamedAddress {
	readonly name: string;
	readonly address: string;
}

export function addressesOf(header: string): readonly NamedAddress[] {
	const parts = header.match(/(?:"(?:[^"\\]|\\.)*"|[^",])+/g) ?? [];
	return parts.map((part) => ({
		name: (/^(.*)<[^>]*>/.exec(part)?.[1] ?? '').replaceAll('"', '').trim(),
		address: firstAddress(part),
	}));
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The Date header as RFC 3339 in its own zone; null if missing or unreadable. */
export function dateOf(email: Email): string | null {
	const [header = ''] = headersOf(email, 'Date');
	const found = /(\d{1,2}) (\w{3}) (\d{4}) (\d\d):(\d\d)(?::(\d\d))? ([+-]\d\d)(\d\d)/.exec(header);
	const [, day = '', month = '', year, hour, minute, second = '00', zoneHours, zoneMinutes] = found ?? [];
	const at = String(months.indexOf(month) + 1).padStart(2, '0');
	const zone = `${zoneHours}:${zoneMinutes}`;
	return found === null
		? null
		: `${year}-${at}-${day.padStart(2, '0')}T${hour}:${minute}:${second}${zone === '+00:00' ? 'Z' : zone}`;
}
