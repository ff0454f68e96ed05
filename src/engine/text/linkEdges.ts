import type { MarkdownIt } from 'markdown-it';
import { withoutSentenceEnd } from './linkPolicy.ts';

type LinkMatch = NonNullable<ReturnType<MarkdownIt['linkify']['matchAtStart']>>;

/** Start of a list's address, up to the part that the parser takes for the address of a person. */
const listOwner = /(?<![\w.+~/@:-])(?:mailto:)?~[a-z_][\w-]{0,254}\/$/i;
const longestOwner = 270;

/** Ends web addresses before the signs of a sentence, and starts the addresses of lists at the owner. */
export function linksAsWritten({ linkify }: MarkdownIt): void {
	const match = linkify.match.bind(linkify);
	const matchAtStart = linkify.matchAtStart.bind(linkify);
	linkify.match = (text) => match(text)?.map((found) => asWrittenByPeople(found, text)) ?? null;
	linkify.matchAtStart = (text) => {
		const found = matchAtStart(text);
		return found && asWrittenByPeople(found, text);
	};
}

function asWrittenByPeople(found: LinkMatch, text: string): LinkMatch {
	const { index, schema } = found;
	if (schema === 'mailto:') {
		const [owner = ''] = listOwner.exec(text.slice(Math.max(0, index - longestOwner), index)) ?? [];
		const raw = `${owner}${found.raw}`;
		const url = `mailto:${raw.replace(/^mailto:/i, '')}`;
		return owner === '' ? found : Object.assign(found, { index: index - owner.length, raw, text: raw, url });
	}
	const raw = withoutSentenceEnd(found.raw);
	const cut = found.raw.length - raw.length;
	return cut === 0
		? found
		: Object.assign(found, { raw, text: raw, url: found.url.slice(0, -cut), lastIndex: found.lastIndex - cut });
}
