import { decodedText } from './htmlText.ts';

/** An inbox, as its archive describes it. */
export interface InboxFacts {
	/** Of the inbox, with a trailing slash. */
	readonly url: string;
	readonly name: string;
	readonly description: string;
	/** Addresses of the list. The first is the one to post to. */
	readonly addresses: readonly string[];
	readonly listId: string | undefined;
	readonly newsgroups: readonly string[];
	/** NNTP and IMAP addresses with the same mails. */
	readonly mirrors: readonly string[];
	/** Repositories whose patches the list discusses. */
	readonly repositories: readonly string[];
}

/** A search prefix that an installation supports. */
export interface SearchPrefix {
	/** As `dfn`, without the colon. */
	readonly name: string;
	readonly text: string;
}

/** Reads `_/text/config/raw`. `undefined`: this is no description of an inbox. */
export function readInboxConfig(
	body: Uint8Array,
	{ url, description }: { readonly url: string; readonly description: string },
): InboxFacts | undefined {
	const values = new Map<string, string[]>();
	let section = '';
	let name: string | undefined;
	for (const line of decodedText(body).split(/\r?\n/)) {
		const [, kind, title] = /^\s*\[(\w+)(?:\s+"((?:[^"\\]|\\.)*)")?\]\s*$/.exec(line) ?? [];
		const [, key, value] = /^\s*([a-z]\w*)\s*=\s*(.*)$/i.exec(line) ?? [];
		if (kind !== undefined) {
			section = kind.toLowerCase();
			name ??= section === 'publicinbox' ? unescaped(title ?? '') : undefined;
		} else if (key !== undefined && value !== undefined) {
			const path = `${section}.${key.toLowerCase()}`;
			const known = values.get(path) ?? [];
			known.push(unescaped(value.trim().replace(/^"(.*)"$/, '$1')));
			values.set(path, known);
		}
	}
	const of = (key: string): readonly string[] => values.get(key) ?? [];
	return name === undefined
		? undefined
		: {
				url,
				name,
				description,
				addresses: of('publicinbox.address').filter((address) => /^[^\s<>]+@[^\s<>]+$/.test(address)),
				listId: of('publicinbox.listid')[0],
				newsgroups: of('publicinbox.newsgroup'),
				mirrors: [...of('publicinbox.nntpmirror'), ...of('publicinbox.imapmirror')],
				repositories: of('coderepo.cgiturl'),
			};
}

function unescaped(value: string): string {
	return value.replaceAll(/\\(["\\])/g, '$1');
}

/** Reads `_/text/help/raw`. A prefix has a line of its own, and further lines of its text are indented as far. */
export function readPrefixes(body: Uint8Array): readonly SearchPrefix[] {
	const found: SearchPrefix[] = [];
	const [, list = ''] = decodedText(body).split(/prefixes supported in this installation include:?\s*\n/i);
	let indent = 0;
	for (const line of list.split('\n')) {
		const [, space = '', name, gap = '', text = ''] = /^(\s+)([a-z]+):(\s+)(\S.*)$/.exec(line) ?? [];
		const last = found.at(-1);
		if (name !== undefined) {
			indent = space.length + name.length + 1 + gap.length;
			found.push({ name, text: text.trim() });
		} else if (last && line.trim() !== '' && line.slice(0, indent).trim() === '') {
			found[found.length - 1] = { ...last, text: `${last.text} ${line.trim()}` };
		} else if (line.trim() !== '') {
			break;
		}
	}
	return found;
}
