import { decodeCharset } from './charset.ts';
import { firstAddress, firstId, headerOf, parameterOf, parseHeaders, type MailHeaders } from './mailHeaders.ts';
import { decodeTransfer } from './transferEncoding.ts';

const gitHeader =
	/^diff --git \S.*\n(?:(?:index|old mode|new file mode|deleted file mode|similarity index|rename from) )/m;

const plainHeader = /^--- \S.*\n\+\+\+ \S.*\n@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/m;

/** The used parts of an RFC 5322 message. */
export interface Message {
	/** Decoded; empty when there is none. */
	readonly subject: string;
	/** With angle brackets; undefined when there is none. */
	readonly messageId: string | undefined;
	readonly inReplyTo: string | undefined;
	/** Decoded From header, such as `Bob Builder <bob@forge.test>`. */
	readonly from: string;
	readonly fromAddress: string;
	readonly replyTo: string | undefined;
	/** Text of the first plain part that is no attachment, decoded, line ends LF. */
	readonly text: string;
	/** Whether that text holds a diff that is not quoted. Attachments do not count. */
	readonly holdsPatch: boolean;
	/** False for a body without plain text (HTML only). */
	readonly hasPlainText: boolean;
	/** Types of all leaf parts, lower case. */
	readonly types: readonly string[];
	header(name: string): string | undefined;
}

/** Parses a raw mail with any line ends. Never throws: broken parts become plain text. */
export function readMessage(raw: Uint8Array): Message {
	const { headers, body } = splitPart(Buffer.from(raw).toString('latin1'));
	const leaves = leavesOf(headers, body, 0);
	const plain = leaves.find(({ type, attached }) => type === 'text/plain' && !attached);
	const text = plain === undefined ? '' : textOf(plain);
	const header = (name: string): string | undefined => headerOf(headers, name);
	return {
		subject: header('Subject') ?? '',
		messageId: firstId(header('Message-ID')),
		inReplyTo: firstId(header('In-Reply-To')),
		from: header('From') ?? '',
		fromAddress: firstAddress(header('From')),
		replyTo: header('Reply-To'),
		text,
		holdsPatch: holdsDiff(text),
		hasPlainText: plain !== undefined,
		types: leaves.map(({ type }) => type),
		header,
	};
}

interface Leaf {
	readonly headers: MailHeaders;
	readonly type: string;
	readonly attached: boolean;
	/** One character per byte. */
	readonly body: string;
}

const maxDepth = 16;

function leavesOf(headers: MailHeaders, body: string, depth: number): readonly Leaf[] {
	const contentType = headerOf(headers, 'Content-Type') ?? 'text/plain';
	const type = (/^[^\s;]+/.exec(contentType)?.[0] ?? 'text/plain').toLowerCase();
	const boundary = parameterOf(contentType, 'boundary');
	if (!type.startsWith('multipart/') || boundary === undefined || depth >= maxDepth) {
		const attached = /^attachment\b/i.test(headerOf(headers, 'Content-Disposition') ?? '');
		return [{ headers, type, attached, body }];
	}
	return partsBetween(body, boundary).flatMap((part) => {
		const { headers: inner, body: innerBody } = splitPart(part);
		return leavesOf(inner, innerBody, depth + 1);
	});
}

function partsBetween(body: string, boundary: string): readonly string[] {
	const parts: string[] = [];
	let current: string[] | undefined;
	for (const line of body.split(/\r?\n/)) {
		const end = line.trimEnd() === `--${boundary}--`;
		if (end || line.trimEnd() === `--${boundary}`) {
			if (current !== undefined) {
				parts.push(current.join('\r\n'));
			}
			current = end ? undefined : [];
		} else {
			current?.push(line);
		}
	}
	return current === undefined ? parts : [...parts, current.join('\r\n')];
}

/** The text has one character per byte; headers of 8-bit mails are UTF-8. */
function splitPart(text: string): { readonly headers: MailHeaders; readonly body: string } {
	const gap = /(?:^|\r?\n)\r?\n/.exec(text);
	const head = gap === null ? text : text.slice(0, gap.index);
	const body = gap === null ? '' : text.slice(gap.index + gap[0].length);
	return { headers: parseHeaders(decodeCharset(Buffer.from(head, 'latin1'), 'utf-8')), body };
}

function textOf({ headers, body }: Leaf): string {
	const bytes = decodeTransfer(Buffer.from(body, 'latin1'), headerOf(headers, 'Content-Transfer-Encoding') ?? '');
	const charset = parameterOf(headerOf(headers, 'Content-Type'), 'charset') ?? 'utf-8';
	return decodeCharset(bytes, charset).replaceAll('\r\n', '\n');
}

/** Whether a mail's text (line ends LF) holds a diff that starts at the left margin, so that quoted ones do not count. */
export function holdsDiff(text: string): boolean {
	return gitHeader.test(text) || plainHeader.test(text);
}
