/** A path made ready to be compared with many queries. */
export interface FoldedPath {
	readonly path: string;
	/** The same in lower case, character by character: positions agree. */
	readonly folded: string;
	/** Where the file's name begins. */
	readonly nameStart: number;
	/** Which characters there are, as `charactersOf` counts them. */
	readonly characters: number;
}

/** A query made ready. Every piece has to be found; blanks between pieces stand for nothing. */
export interface PathQuery {
	readonly pieces: readonly QueryPiece[];
}

interface QueryPiece {
	readonly text: string;
	readonly folded: string;
	readonly characters: number;
	/** With a slash in it a piece cannot be a part of a name. */
	readonly isPath: boolean;
}

/** More than this is no name that anybody types; the rest is not looked at. */
const longestQuery = 100;

/** Paths may be longer; what stands before is not looked at then, since names stand at the end. */
const longestPath = 300;

/** What a character is worth that stands where the last one ended, at a boundary, and in the case in which it was typed. */
const weights = {
	character: 1,
	sameCase: 1,
	run: 6,
	pathStart: 8,
	afterSlash: 7,
	afterSeparator: 5,
	camel: 4,
} as const;

/** A name counts more than any path, a beginning more than any other part of a name, and the whole more than that. */
const tiers = { name: 1 << 14, nameStart: 1 << 15, wholeName: 1 << 16, wholePath: 1 << 17 } as const;

/** Takes a path in; one that is very long by its end. */
export function foldPath(path: string): FoldedPath {
	const folded = foldCharacters(path);
	return { path, folded, nameStart: path.lastIndexOf('/') + 1, characters: charactersOf(folded) };
}

/** Takes a query in. */
export function pathQuery(typed: string): PathQuery {
	const pieces = typed
		.slice(0, longestQuery)
		.replaceAll('\\', '/')
		.split(/\s+/)
		.map((piece) => piece.replace(/^(\.?\/)+/, ''))
		.filter((piece) => piece !== '');
	return {
		pieces: pieces.map((text) => {
			const folded = foldCharacters(text);
			return { text, folded, characters: charactersOf(folded), isPath: text.includes('/') };
		}),
	};
}

/** How well a path fits a query: more is better, 0 is not at all. A query without pieces fits everything equally. */
export function pathScore({ pieces }: PathQuery, target: FoldedPath): number {
	let score = 1;
	for (const piece of pieces) {
		const part = pieceScore(piece, target);
		if (part === 0) {
			return 0;
		}
		score += part;
	}
	return score;
}

function pieceScore(piece: QueryPiece, target: FoldedPath): number {
	const { path, folded, nameStart, characters } = target;
	if ((piece.characters & characters) !== piece.characters || piece.folded.length > folded.length) {
		return 0;
	}
	if (piece.folded === folded) {
		return tiers.wholePath;
	}
	if (!piece.isPath && holdsInOrder(folded, piece.folded, nameStart)) {
		return nameTier(piece, target) + alignment(piece, path, folded, nameStart);
	}
	const start = Math.max(0, folded.length - longestPath);
	return holdsInOrder(folded, piece.folded, start) ? alignment(piece, path, folded, start) : 0;
}

function nameTier({ folded: wanted }: QueryPiece, { folded, nameStart }: FoldedPath): number {
	if (!folded.startsWith(wanted, nameStart)) {
		return tiers.name;
	}
	return wanted.length === folded.length - nameStart ? tiers.wholeName : tiers.nameStart;
}

/** True when the characters stand there in this order, whatever stands between. */
function holdsInOrder(text: string, wanted: string, start: number): boolean {
	let at = start;
	for (let index = 0; index < wanted.length; index += 1) {
		at = text.indexOf(wanted.charAt(index), at) + 1;
		if (at === 0) {
			return false;
		}
	}
	return true;
}

/** Room that all alignments share: rows as long as the longest part that is looked at. */
const rows = {
	/** Best worth of the characters so far, the last of them at or before a place. */
	before: new Int32Array(longestPath + 1),
	now: new Int32Array(longestPath + 1),
	/** The same with the last of them exactly there; 0 where that cannot be. */
	endsBefore: new Int32Array(longestPath + 1),
	endsNow: new Int32Array(longestPath + 1),
};

/**
 * The worth of the best way to find the characters in order from `start` on; 0 when there is none. Takes time in
 * proportion to the product of both lengths, which are bounded.
 */
function alignment(piece: QueryPiece, path: string, folded: string, start: number): number {
	const from = Math.max(start, folded.length - longestPath);
	const length = folded.length - from;
	let { before, now, endsBefore, endsNow } = rows;
	before.fill(0, 0, length + 1);
	endsBefore.fill(0, 0, length + 1);
	for (let index = 0; index < piece.folded.length; index += 1) {
		const wanted = piece.folded.charCodeAt(index);
		let best = 0;
		now[0] = 0;
		endsNow[0] = 0;
		for (let at = 0; at < length; at += 1) {
			let worth = 0;
			const reached = before[at] ?? 0;
			if (folded.charCodeAt(from + at) === wanted && (index === 0 || reached > 0)) {
				const isRun = index > 0 && (endsBefore[at] ?? 0) > 0;
				const own = weights.character + caseWorth(piece.text, index, path, from + at);
				worth = reached + own + boundaryWorth(path, from + at);
				if (isRun) {
					worth = Math.max(worth, (endsBefore[at] ?? 0) + own + Math.max(weights.run, boundaryWorth(path, from + at)));
				}
			}
			endsNow[at + 1] = worth;
			best = Math.max(best, worth);
			now[at + 1] = best;
		}
		[before, now] = [now, before];
		[endsBefore, endsNow] = [endsNow, endsBefore];
	}
	return before[length] ?? 0;
}

function caseWorth(typed: string, index: number, path: string, at: number): number {
	return typed.charCodeAt(index) === path.charCodeAt(at) ? weights.sameCase : 0;
}

const [slash, dash, dot, underscore, blank] = [0x2f, 0x2d, 0x2e, 0x5f, 0x20];

function boundaryWorth(path: string, at: number): number {
	if (at === 0) {
		return weights.pathStart;
	}
	const last = path.charCodeAt(at - 1);
	if (last === slash) {
		return weights.afterSlash;
	}
	if (last === dash || last === dot || last === underscore || last === blank) {
		return weights.afterSeparator;
	}
	const code = path.charCodeAt(at);
	return (isUpper(code) && !isUpper(last)) || (isDigit(code) && !isDigit(last)) ? weights.camel : 0;
}

function isUpper(code: number): boolean {
	return code >= 0x41 && code <= 0x5a;
}

function isDigit(code: number): boolean {
	return code >= 0x30 && code <= 0x39;
}

/**
 * Lower case that keeps every character in its place: the one letter that would become two becomes the first of them. The
 * small sigma that ends a word is like any other, because what is typed ends where a name goes on.
 */
function foldCharacters(text: string): string {
	return text.replaceAll('İ', 'i').toLowerCase().replaceAll('ς', 'σ');
}

/** One bit for each letter, one for all digits, one for the slash and one for everything else. */
function charactersOf(folded: string): number {
	let bits = 0;
	for (let at = 0; at < folded.length; at += 1) {
		bits |= 1 << bitOf(folded.charCodeAt(at));
	}
	return bits;
}

function bitOf(code: number): number {
	if (code >= 0x61 && code <= 0x7a) {
		return code - 0x61;
	}
	return isDigit(code) ? 26 : code === slash ? 27 : 28;
}
