import PostalMime, { addressParser, type Email } from 'postal-mime';
import { largestMail } from '../forge/largestMail.ts';
import { disguise } from './disguise.ts';
import { hasTooManyParts } from './partLimit.ts';
import type { MailAttachment, MailPerson, MailReading, RawReason, ReadableMail } from './readableMail.ts';
import { senderCautions } from './senderCautions.ts';
import { decoderIsWrong, withWindows1252 } from './windows1252.ts';

/**
 * A mail needs no more than this, and whoever sends more wants to keep the parser busy (security T32). Mails inside of
 * mails are attachments: in base64 they could hide any number of parts.
 */
const parserLimits = { maxHeadersSize: 65_536, maxNestingDepth: 16, maxRfc822NestingDepth: 0 } as const;

export interface ReadMailOptions {
	/** Reads the mail however large it is. */
	readonly evenIfLarge: boolean;
	/** For tests: whether the platform decodes windows-1252 wrongly. Found out when left out. */
	readonly wrongDecoder?: boolean;
}

/**
 * Makes an envelope readable: mbox line, any line ends, transfer encoding, charset and parts (observed-behaviour 5.3).
 * Never throws: what cannot be read comes back as it is.
 */
export async function readMail(envelope: string, options: ReadMailOptions): Promise<MailReading> {
	if (envelope.length > largestMail && !options.evenIfLarge) {
		return raw(envelope, 'tooLarge');
	}
	const message = withoutMboxLine(envelope);
	if (hasTooManyParts(message)) {
		return raw(envelope, 'unreadable');
	}
	const { bytes, reveal } = disguise(message);
	// In this order: characters that were in disguise are right whatever the decoder does.
	const clean =
		(options.wrongDecoder ?? decoderIsWrong())
			? (text: string): string => reveal(withWindows1252(text))
			: (text: string): string => reveal(text);
	try {
		const parsed = await PostalMime.parse(bytes, parserLimits);
		if (!parsed.headers.some(({ key }) => key === 'from' || key === 'subject')) {
			return raw(envelope, 'unreadable');
		}
		return parsed.text === undefined && parsed.html !== undefined
			? raw(envelope, 'noPlainText')
			: { kind: 'read', mail: readable(parsed, clean) };
	} catch {
		// The parser throws for what is beyond its limits, and whatever else it throws means the same to a reader.
		return raw(envelope, 'unreadable');
	}
}

function raw(envelope: string, reason: RawReason): MailReading {
	return { kind: 'raw', reason, text: withLineFeeds(envelope) };
}

/** Mailboxes put a line `From nobody <date>` before each mail; `From : somebody` is an old way to write a header. */
function withoutMboxLine(envelope: string): string {
	return /^From [^\s:]/.test(envelope) ? envelope.slice(envelope.indexOf('\n') + 1 || envelope.length) : envelope;
}

function withLineFeeds(text: string): string {
	return text.replaceAll('\r\n', '\n');
}

function readable(parsed: Email, clean: (text: string) => string): ReadableMail {
	const header = (name: string): string | undefined => {
		const value = parsed.headers.find(({ key }) => key === name)?.value;
		return value === undefined ? undefined : clean(value);
	};
	const from = people(parsed, 'from', clean);
	const date = header('date');
	const dateMs = date === undefined ? Number.NaN : Date.parse(date);
	return {
		from,
		to: people(parsed, 'to', clean),
		cc: people(parsed, 'cc', clean),
		date,
		dateMs: Number.isNaN(dateMs) ? undefined : dateMs,
		subject: clean(parsed.subject ?? ''),
		messageId: header('message-id'),
		inReplyTo: header('in-reply-to'),
		text: withLineFeeds(clean(parsed.text ?? '')),
		attachments: parsed.attachments.map(({ filename, mimeType, content }): MailAttachment => ({
			name: filename === null ? undefined : clean(filename),
			type: clean(mimeType),
			size: typeof content === 'string' ? content.length : content.byteLength,
		})),
		cautions: senderCautions(from, header('from') ?? ''),
	};
}

function people(parsed: Email, name: string, clean: (text: string) => string): readonly MailPerson[] {
	return parsed.headers
		.filter(({ key }) => key === name)
		.flatMap(({ value }) => addressParser(value, { flatten: true }))
		.map((person) => ({ name: clean(person.name), address: clean(person.address ?? '') }))
		.filter((person) => person.name !== '' || person.address !== '');
}
