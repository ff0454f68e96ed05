/** A path prepared for matching. */
export interface FoldedPath {
	readonly path: string;
	/** Lower case with equal positions. */
	readonly folded: string;
	/** Start of the file name. */
	readonly nameStart: number;
	/** Bit set of its characters, see `charactersOf`. */
	readonly characters: number;
}

/** A prepared query. Blanks separate pieces; every piece is required. */
export interface PathQuery {
	readonly pieces: readonly QueryPiece[];
}

interface QueryPiece {
	readonly text: string;
	readonly folded: string;
	readonly characters: number;
	/** A piece with a slash cannot match inside a name. */
	readonly isPath: boolean;
}

/** Longer queries are truncated. */
const longestQuery = 100;

/** Longer paths lose their beginning, because names are at the end. */
const longestPath = 300;

/** Score of a matched character by position: after the previous match, at a boundary, in the typed case. */
const weights = {
	character: 1,
	sameCase: 1,
	run: 6,
	pathStart: 8,
	afterSlash: 7,
	afterSeparator: 5,
	camel: 4,
} as const;

/** A name match beats any path match; a prefix beats other name matches; the whole name beats a prefix. */
const tiers = { name: 1 << 14, nameStart: 1 << 15, wholeName: 1 << 16, wholePath: 1 << 17 } as const;

/** Truncates a very long path at its start. */
export function foldPath(path: string): FoldedPath {
	const folded = foldCharacters(path);
	return { path, folded, nameStart: path.lastIndexOf('/') + 1, characters: charactersOf(folded) };
}

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

/** Higher is better; 0 is no match. An empty query matches everything equally. */
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
		const isWhole = piece.folded.length === folded.length - nameStart;
		const begins = folded.startsWith(piece.folded, nameStart);
		const tier = begins ? (isWhole ? tiers.wholeName : tiers.nameStart) : tiers.name;
		return tier + alignment(piece, path, folded, nameStart);
	}
	const start = Math.max(0, folded.length - longestPath);
	return holdsInOrder(folded, piece.folded, start) ? alignment(piece, path, folded, start) : 0;
}

/** Subsequence test. */
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

/** Shared buffers of all alignments, sized for the longest path. */
const rows = {
	/** Best score of the characters so far, with the last one at or before a position. */
	before: new Int32Array(longestPath + 1),
	now: new Int32Array(longestPath + 1),
	/** The same with the last one exactly at the position; 0 if impossible. */
	endsBefore: new Int32Array(longestPath + 1),
	endsNow: new Int32Array(longestPath + 1),
};

/** Best score of a subsequence match from `start` on; 0 for no match. Quadratic, with bounded lengths. */
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
				const isSameCase = piece.text.charCodeAt(index) === path.charCodeAt(from + at);
				const own = weights.character + (isSameCase ? weights.sameCase : 0);
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
 * Lower case with equal positions: İ would become two characters. Final sigma equals sigma, because typed text ends
 * where a name continues.
 */
function foldCharacters(text: string): string {
	return text.replaceAll('İ', 'i').toLowerCase().replaceAll('ς', 'σ');
}

/** One bit per letter, one for all digits, one for the slash, and one for the rest. */
function charactersOf(folded: string): number {
	let bits = 0;
	for (let at = 0; at < folded.length; at += 1) {
		const code = folded.charCodeAt(at);
		const isLetter = code >= 0x61 && code <= 0x7a;
		bits |= 1 << (isLetter ? code - 0x61 : isDigit(code) ? 26 : code === slash ? 27 : 28);
	}
	return bits;
}
