import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, relative } from 'node:path';

/** One input of a collection. */
export type ForeignCase = {
	/** Folder of the collection, relative to the given one. */
	readonly collection: string;
	/** Path of the file, with the number of the input if the file has several. */
	readonly name: string;
} & (
	| { readonly kind: 'mail' | 'diff' | 'json'; readonly bytes: Buffer }
	| { readonly kind: 'markdown'; readonly text: string }
);

const largestFile = 8 * 2 ** 20;
const skippedFolders = new Set(['.git', 'node_modules', '.github', 'po']);
const mailEnds = new Set(['', '.eml', '.mbox', '.msg', '.txt', '.patch', '.diff', '.in', '.mail', '.dat']);
const knownHeader = /^(?:from|to|cc|subject|date|received|message-id|mime-version|content-type|return-path):/im;

/** All inputs below a folder whose subfolders are collections. The content of a file determines its kind. */
export function* casesIn(folder: string): Generator<ForeignCase> {
	for (const collection of readdirSync(folder).toSorted()) {
		for (const path of filesBelow(join(folder, collection))) {
			const name = relative(join(folder, collection), path);
			yield* casesOf(name, readFileSync(path)).map((each) => ({ ...each, collection }));
		}
	}
}

function* filesBelow(path: string): Generator<string> {
	const stats = statSync(path, { throwIfNoEntry: false });
	if (stats?.isDirectory() === true) {
		for (const name of readdirSync(path).toSorted()) {
			if (!skippedFolders.has(name)) {
				yield* filesBelow(join(path, name));
			}
		}
	} else if (stats?.isFile() === true && stats.size <= largestFile) {
		yield path;
	}
}

type Found<T = ForeignCase> = T extends unknown ? Omit<T, 'collection'> : never;

function casesOf(name: string, bytes: Buffer): readonly Found[] {
	const text = bytes.toString('latin1');
	if (name.endsWith('.json')) {
		return [{ kind: 'json', name, bytes }, ...textsOf(name, bytes)];
	}
	if (/^`{32} example/m.test(text)) {
		return numbered(
			name,
			[...bytes.toString().matchAll(/^`{32} example[^\n]*\n(.*?)^\.\n/gms)].map(([, each = '']) => each),
		);
	}
	if (/"payload":/.test(text)) {
		return numbered(
			name,
			[...bytes.toString().matchAll(/"payload":\s*("(?:[^"\\]|\\.)*")/g)].flatMap(([, each = '""']) => parsed(each)),
		);
	}
	if (mailEnds.has(extname(name)) || /^\.[\d,]/.test(extname(name)) || /(?:cur|new)\/[^/]+$/.test(name)) {
		const mails = mailsIn(text);
		if (mails.length > 0) {
			return mails.map((mail, at) => ({
				kind: 'mail',
				name: mails.length === 1 ? name : `${name} ${at + 1}`,
				bytes: Buffer.from(mail, 'latin1'),
			}));
		}
	}
	return diffsIn(text).map((diff, at, { length }) => ({
		kind: 'diff',
		name: length === 1 ? name : `${name} ${at + 1}`,
		bytes: Buffer.from(diff, 'latin1'),
	}));
}

/** Strings of a JSON list, such as the big list of naughty strings. */
function textsOf(name: string, bytes: Buffer): readonly Found[] {
	try {
		const value: unknown = JSON.parse(bytes.toString());
		const texts = Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
		return texts.length > 100 ? numbered(name, texts) : [];
	} catch {
		return [];
	}
}

function numbered(name: string, texts: readonly string[]): readonly Found[] {
	return texts.map((text, at) => ({ kind: 'markdown', name: `${name} ${at + 1}`, text }));
}

function parsed(literal: string): readonly string[] {
	try {
		return [String(JSON.parse(literal))];
	} catch {
		return [];
	}
}

/** The mails of a mailbox, or the single mail of a file; empty for other files. */
function mailsIn(text: string): readonly string[] {
	const mails = text.split(/^(?=From \S+ .*\d\d:\d\d.*\n)/m).filter((each) => each !== '');
	return mails.filter(
		(mail) => knownHeader.test(mail.slice(0, 4000)) && /^(?:From |>?[A-Za-z][\w-]*\s?:|\s*\n)/.test(mail),
	);
}

/** The diffs in a file: all of it, or the here-documents of a script. */
function diffsIn(text: string): readonly string[] {
	const isDiff = (each: string): boolean => /^@@ -\d/m.test(each) && /^(?:diff --git |--- )/m.test(each);
	if (!isDiff(text)) {
		return [];
	}
	return text.startsWith('#!')
		? [...text.matchAll(/<<\s*-?\\?'?"?(\w+)'?"?[^\n]*\n(.*?)^\1$/gms)].map(([, , each = '']) => each).filter(isDiff)
		: [text];
}
