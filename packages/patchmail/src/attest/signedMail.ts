import { bytesOfMail } from '../mail/gitPatch.ts';
import { travelledMail } from '../mail/envelope.ts';

/** A header in bytes, one character each, with its folds and its last CR LF. */
export interface RawHeader {
	readonly name: string;
	/** Everything behind the colon. */
	readonly value: string;
}

/** A mail in bytes, one character each, with CR LF, as programs sign it. */
export interface SignedMail {
	readonly headers: readonly RawHeader[];
	readonly body: string;
}

/** Larger mails are not verified, since the work blocks its thread. */
export const largestSigned = 512_000;

/** Splits an envelope as the forge archives it. `undefined` for a mail without a plain head. */
export function signedMail(envelope: string): SignedMail | undefined {
	const text = bytesOfMail(travelledMail(envelope)).replaceAll('\r\n', '\n');
	const end = text.indexOf('\n\n');
	const head = end === -1 ? text : text.slice(0, end);
	const headers: { name: string; value: string }[] = [];
	for (const line of head.split('\n')) {
		const last = headers.at(-1);
		const colon = line.indexOf(':');
		if (line.startsWith(' ') || line.startsWith('\t')) {
			if (!last) {
				return undefined;
			}
			last.value += `${line}\r\n`;
		} else if (colon > 0 && /^[!-9;-~]+$/.test(line.slice(0, colon))) {
			headers.push({ name: line.slice(0, colon), value: `${line.slice(colon + 1)}\r\n` });
		} else if (line !== '') {
			return undefined;
		}
	}
	return { headers, body: end === -1 ? '' : text.slice(end + 2).replaceAll('\n', '\r\n') };
}

/** `name=value` tags by name. `undefined` for a tag that occurs twice or has no value. */
export function tagsOf(list: string): ReadonlyMap<string, string> | undefined {
	const tags = new Map<string, string>();
	for (const part of list.split(';').map(trimmedBytes)) {
		const at = part.indexOf('=');
		const name = trimmedBytes(part.slice(0, Math.max(0, at)));
		if (part !== '' && (!/^[a-z]\w*$/i.test(name) || tags.has(name))) {
			return undefined;
		}
		if (part !== '') {
			tags.set(name, trimmedBytes(part.slice(at + 1)));
		}
	}
	return tags;
}

/** Without blanks of ASCII at the ends. In bytes, other blanks may be a part of a character. */
export function trimmedBytes(text: string): string {
	let [start, end] = [0, text.length];
	while (start < end && isBlank(text.charCodeAt(start))) {
		start += 1;
	}
	while (end > start && isBlank(text.charCodeAt(end - 1))) {
		end -= 1;
	}
	return text.slice(start, end);
}

function isBlank(code: number): boolean {
	return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}
