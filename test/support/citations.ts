import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import { importedSource } from '../harness/packageFolders.ts';

/** A reference to a place in the repository, in a comment or a document. */
export interface Citation {
	/** Its own place: `packages/sourcehut/src/rest/answers.ts:101` */
	readonly from: string;
	/** A path from the root, optionally with `#` and a heading. */
	readonly target: string;
}

/** A citation without a target. */
interface Complaint {
	readonly from: string;
	readonly problem: string;
}

export interface Followed {
	readonly citations: readonly Citation[];
	readonly complaints: readonly Complaint[];
	readonly files: number;
}

interface Line {
	readonly from: string;
	readonly text: string;
	/** The comment part of the line; may be empty. */
	readonly comment: string;
}

/** Citations of documents outside of the repository: by name, also in texts, and by numbers of sections or threats. */
const goneAnywhere = /observed-behaviou?r|\bforge-api(?=\.md| \d| section)/i;
const goneInComments =
	/\b(?:[Oo]bserved|domain|security|performance|features) (?:section )?(?:\d[\d.]*|[A-Z]\.?\d+)|\bT\d{2}\b|\bsections? \d|\(\d+\.\d+\)/;
/** Contains made-up citations. */
const leftOut: ReadonlySet<string> = new Set(['test/unit/harness/citations.test.ts']);
const documentName = /(?<![\w/.-])([\w-][\w./-]*\.md)\b(#[\w-]+)?/g;
/** A path within backticks, as documents name files and folders; those with `*`, `<` or `{` are patterns. */
const codePath = /`((?:src|packages|test|docs|media)\/[\w./-]*(?:\.\w+|\/))(#[\w-]+)?`/g;
/** A path as in imports: `patchmail/mail/mailReader.ts`. */
const importPath = /`((?:@[\w-]+\/)?[\w-]+\/[\w./-]*)`/g;
const link = /\]\((?![a-z][a-z\d+.-]*:)([^)\s#]*)(#[\w-]+)?\)/gi;
const dialectRows = /\bRows? ((?:`[a-z\d-]+`(?:, | and )?)+)/g;

/** All citations in sources, tests, scripts and documents below `root`, with complaints. */
export function followCitations(root: string): Followed {
	const files = filesIn(root);
	const found = files.flatMap((file) => citationsIn(file, readFileSync(join(root, file), 'utf8')));
	const anchorsOf = anchorReader(root);
	return {
		citations: found.filter((each) => 'target' in each),
		complaints: found.flatMap((each) => ('target' in each ? complaintsAbout(each, root, anchorsOf) : [each])),
		files: files.length,
	};
}

/** Citations in one file, and complaints about documents outside of the repository. */
export function citationsIn(file: string, text: string): readonly (Citation | Complaint)[] {
	return linesOf(file, text).flatMap(file.endsWith('.md') ? (line) => inDocument(file, line) : inSource);
}

/** The slugs of all headings, and of those below the second level. */
export function headingsOf(markdown: string): { readonly all: readonly string[]; readonly facts: readonly string[] } {
	const headings = [...markdown.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^(#+) +(.+)$/gm)];
	return {
		all: headings.map(([, , title = '']) => slugOf(title)),
		facts: headings.filter(([, level = '']) => level.length > 2).map(([, , title = '']) => slugOf(title)),
	};
}

function filesIn(root: string): readonly string[] {
	const below = ['src', 'packages', 'test', 'docs'].flatMap((folder) =>
		readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
			.filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
			.map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/')),
	);
	return [...readdirSync(root), ...below]
		.filter((file) => /\.(?:ts|mjs|css|md)$/.test(file) && !leftOut.has(file))
		.toSorted();
}

function linesOf(file: string, text: string): readonly Line[] {
	return text.split('\n').map((line, index) => ({
		from: `${file}:${index + 1}`,
		text: line,
		comment: /^\s*(?:\*|\/\*|\/\/).*|(?:^|\s)(?:\/\/|\/\*) .*/.exec(line)?.[0] ?? '',
	}));
}

/** In comments every document counts, elsewhere only those with a heading: others are data. */
function inSource({ from, text, comment }: Line): readonly (Citation | Complaint)[] {
	const problem = goneAnywhere.exec(text)?.[0] ?? goneInComments.exec(comment)?.[0];
	const code = text.slice(0, text.length - comment.length);
	return [
		...(problem === undefined ? [] : [complaintOf(from, problem)]),
		...targetsIn(documentName, comment, from),
		...targetsIn(/(?<![\w/.-])(docs\/(?:protocol|security|dialects)\.md)(#[\w-]+)/g, code, from),
	];
}

function inDocument(file: string, { from, text }: Line): readonly (Citation | Complaint)[] {
	const problem = goneAnywhere.exec(text)?.[0];
	const links = [...text.matchAll(link)].map(([, path = '', anchor = '']): Citation => {
		const target = path === '' ? file : posix.join(posix.dirname(file), decodeURI(path));
		return { from, target: `${target}${anchor}` };
	});
	const rows = [...text.matchAll(dialectRows)].flatMap(([, names = '']) => names.match(/[a-z\d-]{2,}/g) ?? []);
	const sources = [...text.matchAll(importPath)].flatMap(([, path = '']): readonly Citation[] => {
		const target = importedSource(file, path);
		return target === undefined ? [] : [{ from, target }];
	});
	return [
		...(problem === undefined ? [] : [complaintOf(from, problem)]),
		...links,
		...sources,
		// A changelog may name removed files.
		...(file === 'CHANGELOG.md' ? [] : targetsIn(codePath, text, from)),
		...(file === 'docs/protocol.md' ? rows.map((row) => ({ from, target: `docs/dialects.md#${row}` })) : []),
	];
}

function targetsIn(pattern: RegExp, text: string, from: string): readonly Citation[] {
	return [...text.matchAll(pattern)].map(([, path = '', anchor = '']) => ({ from, target: `${path}${anchor}` }));
}

function complaintOf(from: string, words: string): Complaint {
	return { from, problem: `“${words}” is of no document in the repository` };
}

function complaintsAbout(
	{ from, target }: Citation,
	root: string,
	anchorsOf: (file: string) => ReadonlySet<string>,
): readonly Complaint[] {
	const [path = '', anchor] = target.split('#');
	if (!existsSync(join(root, path))) {
		return [{ from, problem: `${path} is not there` }];
	}
	return anchor === undefined || anchorsOf(path).has(anchor)
		? []
		: [{ from, problem: `${path} has no heading #${anchor}` }];
}

/** Slugs of headings, cached; in docs/dialects.md also the ids of table rows. */
function anchorReader(root: string): (file: string) => ReadonlySet<string> {
	const known = new Map<string, ReadonlySet<string>>();
	return (file) => {
		const text = known.has(file) ? '' : readFileSync(join(root, file), 'utf8');
		const rows = file === 'docs/dialects.md' ? [...text.matchAll(/^\| ([a-z\d-]+) \|/gm)].map(([, id = '']) => id) : [];
		const anchors = known.get(file) ?? new Set([...headingsOf(text).all, ...rows]);
		known.set(file, anchors);
		return anchors;
	};
}

/** As forges do. */
function slugOf(title: string): string {
	return title
		.trim()
		.toLowerCase()
		.replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, '')
		.replaceAll(/\s/g, '-');
}
