import { pushAll } from '@forge-desk/base/longArrays.ts';
import { withoutBlanks } from './blanks.ts';
import { decodeWords } from './encodedWords.ts';
import { headerValue, isHead, mostHeaders, type HeadParts } from './mailHead.ts';
import { plainAddresses } from './plainAddresses.ts';
import type { MailHeader, MailPerson } from './readableMail.ts';
import type { TransferEncoding } from './transferEncodings.ts';

/** Longer heads, and heads with more words to decode, are no common ones. */
const longestHead = 32_768;
const mostWords = 300;

const fieldName = /^[!-9;-~]+$/;
/** A type or a word, and a parameter in one of the two unambiguous forms. */
const parameter = /;[ \t]*([\w-]+)=(?:"([^"\\()]*)"|([^\s"\\();=]+))[ \t]*(?=;|$)/gy;

const noParameters: ReadonlyMap<string, string> = new Map();

/** The header values of a plain-text body. */
export interface PlainContent {
	readonly encoding: TransferEncoding;
	readonly charset: string | undefined;
	readonly isFlowed: boolean;
	readonly delSp: boolean;
}

/** Headers in the order and spelling that they came in; `undefined` where anything about them is unusual. */
export function plainHeaders(head: string): readonly MailHeader[] | undefined {
	if (head.length > longestHead || !hasPlainCharacters(head)) {
		return undefined;
	}
	const headers: MailHeader[] = [];
	let start = 0;
	while (start <= head.length) {
		let end = head.indexOf('\n', start);
		// Lines with a leading blank continue a field.
		while (end !== -1 && (head[end + 1] === ' ' || head[end + 1] === '\t')) {
			end = head.indexOf('\n', end + 1);
		}
		end = end === -1 ? head.length : end;
		const colon = head.indexOf(':', start);
		const name = head.slice(start, Math.max(start, colon));
		if (!fieldName.test(name)) {
			return undefined;
		}
		const value = head.slice(colon + 1, end);
		headers.push({ name: name.toLowerCase(), value: withoutBlanks(value.replaceAll('\n', '')) });
		start = end + 1;
	}
	return headers;
}

/** Neither controls nor halves of characters. */
function hasPlainCharacters(head: string): boolean {
	for (let at = 0; at < head.length; at += 1) {
		const code = head.charCodeAt(at);
		if ((code < 0x20 && code !== 0x0a && code !== 0x09) || (code >= 0x7f && code < 0xa0)) {
			return false;
		}
	}
	return head.isWellFormed();
}

/** The structured values; `undefined` if one is not plainly written. */
export function plainHead(headers: readonly MailHeader[]): HeadParts | undefined {
	if (!isHead(headers) || headers.length > mostHeaders) {
		return undefined;
	}
	let words = 0;
	const peopleIn = (name: string): readonly MailPerson[] | undefined => {
		const people: MailPerson[] = [];
		for (const { value } of headers.filter((header) => header.name === name)) {
			words += countWords(value);
			const listed = hasPlainWords(value) && words <= mostWords ? plainAddresses(value) : undefined;
			if (!listed) {
				return undefined;
			}
			pushAll(people, listed);
		}
		return people;
	};
	const subject = headerValue(headers, 'subject') ?? '';
	words += countWords(subject);
	const from = peopleIn('from');
	const to = peopleIn('to');
	const cc = peopleIn('cc');
	const replyTo = peopleIn('reply-to');
	return from && to && cc && replyTo && hasPlainWords(subject) && words <= mostWords
		? { headers, people: { from, to, cc, replyTo }, subject: decodeWords(subject) }
		: undefined;
}

/** The body's type; `undefined` unless plainly declared as plain text. */
export function plainContent(headers: readonly MailHeader[]): PlainContent | undefined {
	const encoding = encodingOf(headerValue(headers, 'content-transfer-encoding'));
	const parameters = parametersOf(headerValue(headers, 'content-type') ?? 'text/plain', 'text/plain');
	const disposition = parametersOf(headerValue(headers, 'content-disposition') ?? 'inline', 'inline');
	return encoding && parameters && disposition
		? {
				encoding,
				charset: parameters.get('charset'),
				isFlowed: parameters.get('format')?.toLowerCase() === 'flowed',
				delSp: parameters.get('delsp')?.toLowerCase() === 'yes',
			}
		: undefined;
}

function parametersOf(value: string, word: string): ReadonlyMap<string, string> | undefined {
	if (value.slice(0, word.length).toLowerCase() !== word) {
		return undefined;
	}
	const parameters = new Map<string, string>();
	const rest = withoutBlanks(value.slice(word.length));
	if (rest === '') {
		return noParameters;
	}
	let end = 0;
	for (const found of rest.matchAll(parameter)) {
		const [whole, name = '', quoted, bare = ''] = found;
		const key = name.toLowerCase();
		if (!parameters.has(key)) {
			parameters.set(key, quoted ?? bare);
		}
		end = found.index + whole.length;
	}
	return end === rest.length || rest.slice(end) === ';' ? parameters : undefined;
}

function encodingOf(value: string | undefined): TransferEncoding | undefined {
	switch (value?.toLowerCase()) {
		case undefined:
		case '':
		case '7bit':
		case '8bit':
		case 'binary':
			return 'identity';
		case 'quoted-printable':
			return 'quotedPrintable';
		case 'base64':
			return 'base64';
		default:
			return undefined;
	}
}

function countWords(value: string): number {
	return value.includes('=?') ? value.split('=?').length - 1 : 0;
}

/** Encoded words are ASCII; where they are not, nobody knows what was meant. */
function hasPlainWords(value: string): boolean {
	return !value.includes('=?') || !/\P{ASCII}/u.test(value);
}
