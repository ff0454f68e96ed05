import PostalMime from 'postal-mime';

/**
 * Enough for every mail; more only keeps the parser busy (docs/security.md#slow-parsers). Mails inside of mails are
 * attachments: in base64 they could hide any number of parts.
 */
const parserLimits = { maxHeadersSize: 65_536, maxNestingDepth: 16, maxRfc822NestingDepth: 0 } as const;

const lineFeed = 0x0a;

/** One leaf of the tree of parts. */
export interface MimePart {
	/** In lower case. */
	readonly type: string;
	readonly parameters: ReadonlyMap<string, string>;
	/** In lower case; empty when there is none. */
	readonly disposition: string;
	readonly fileName: string | undefined;
	/** Travelled as it is, without base64 and the like. */
	readonly isIdentity: boolean;
	/** Decoded; each of its lines ends with LF, the last one too. */
	readonly content: Uint8Array;
	/** The content without the last line end where that is the one of the line that divides the parts (RFC 2046, 5.1.1). */
	readonly exact: Uint8Array;
	/** Number of the closest group of alternatives that it belongs to. */
	readonly alternatives: number | undefined;
}

/** Result of the general parser. */
export interface MimeMail {
	/** Names in lower case. */
	readonly headers: readonly { readonly name: string; readonly value: string }[];
	/** In the order of the mail. */
	readonly parts: readonly MimePart[];
	/** All text of the mail as the parser puts it together, with HTML turned into text. */
	readonly rendered: string | undefined;
}

/** Splits a mail into parts. Throws beyond its limits. */
export async function mimeMail(bytes: Uint8Array): Promise<MimeMail> {
	const parser = new PostalMime(parserLimits);
	const { headers, text } = await parser.parse(bytes);
	const parts: MimePart[] = [];
	let groups = 0;
	const collect = (node: unknown, alternatives: number | undefined, isDivided: boolean): void => {
		const multipart = memberOf(memberOf(node, 'contentType'), 'multipart');
		const content = memberOf(node, 'content');
		if (multipart === false && content instanceof ArrayBuffer) {
			parts.push(partOf(node, { content: new Uint8Array(content), alternatives, isDivided }));
		}
		const group = multipart === 'alternative' ? (groups += 1) : alternatives;
		for (const child of listOf(memberOf(node, 'childNodes'))) {
			collect(child, group, true);
		}
	};
	// The parser's result omits the declarations of parts; its tree has them.
	collect(memberOf(parser, 'root'), undefined, false);
	return { headers: headers.map(({ key, value }) => ({ name: key, value })), parts, rendered: text };
}

interface Leaf extends Pick<MimePart, 'content' | 'alternatives'> {
	/** Other parts may follow. */
	readonly isDivided: boolean;
}

function partOf(node: unknown, { content, alternatives, isDivided }: Leaf): MimePart {
	const type = memberOf(memberOf(node, 'contentType'), 'parsed');
	const disposition = memberOf(memberOf(node, 'contentDisposition'), 'parsed');
	const parameters = textsOf(memberOf(type, 'params'));
	const encoding = textOf(memberOf(memberOf(node, 'contentTransferEncoding'), 'encoding'));
	const isLines = !/base64/i.test(encoding);
	const stated = textOf(memberOf(type, 'value'));
	return {
		// A type without a subtype is invalid and means plain text (RFC 2045, 5.2). Git reads it as text, too.
		type: /^[^/]+\/[^/]+$/.test(stated) ? stated : 'text/plain',
		parameters,
		disposition: textOf(memberOf(disposition, 'value')),
		fileName: textsOf(memberOf(disposition, 'params')).get('filename') ?? parameters.get('name'),
		isIdentity: !/base64|quoted-printable/i.test(encoding),
		content,
		exact: isDivided && isLines && content.at(-1) === lineFeed ? content.subarray(0, -1) : content,
		alternatives,
	};
}

function memberOf(value: unknown, name: string): unknown {
	return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function listOf(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string {
	return typeof value === 'string' ? value : '';
}

function textsOf(value: unknown): ReadonlyMap<string, string> {
	const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
	return new Map(entries.flatMap(([name, text]) => (typeof text === 'string' && text !== '' ? [[name, text]] : [])));
}
