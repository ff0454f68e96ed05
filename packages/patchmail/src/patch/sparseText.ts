import type { FileDiff, Hunk } from './fileDiff.ts';
import { hunkLines } from './hunkLines.ts';

/** Piece of a text known only from patches. Line numbers refer to the base and count from 1. */
export type SparsePiece =
	/** `base`: line number in the base; `undefined` for a line added by a patch. */
	| { readonly kind: 'line'; readonly text: string; readonly hasLineEnd: boolean; readonly base: number | undefined }
	/** Lines outside all patches. `to`: `undefined` for a gap to the end of the text, possibly empty. */
	| { readonly kind: 'gap'; readonly from: number; readonly to: number | undefined };

type KnownLine = Extract<SparsePiece, { kind: 'line' }>;

/** Result of patches, as far as their hunks show it. */
export interface SparseText {
	readonly pieces: readonly SparsePiece[];
	/** Lines of the base in the hunks, including changed lines. */
	readonly learnt: ReadonlyMap<number, KnownLine>;
}

/** A text with unknown lines, or without lines if it does not exist. */
export function unknownText(exists: boolean): SparseText {
	return { pieces: exists ? [{ kind: 'gap', from: 1, to: undefined }] : [], learnt: new Map() };
}

/**
 * Applies the diff of a file at exactly the lines in its hunk headers. `undefined` if they differ from the result of
 * the earlier patches: a patch is missing, or has another base. Takes linear time.
 */
export function applySparse(before: SparseText, text: string, file: FileDiff): SparseText | undefined {
	if (file.content.kind !== 'text' || file.damage.length > 0) {
		return undefined;
	}
	const walk = new SparseWalk(before);
	return file.content.hunks.every((hunk) => walk.apply(text, hunk)) ? walk.end() : undefined;
}

class SparseWalk {
	readonly #rest: SparsePiece[];
	readonly #made: SparsePiece[] = [];
	readonly #learnt: Map<number, KnownLine>;
	/** Number of finished lines. */
	#line = 0;

	constructor({ pieces, learnt }: SparseText) {
		this.#rest = pieces.toReversed();
		this.#learnt = new Map(learnt);
	}

	end(): SparseText {
		return { pieces: [...this.#made, ...this.#rest.toReversed()], learnt: this.#learnt };
	}

	apply(text: string, hunk: Hunk): boolean {
		if (!this.#skipTo(hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1)) {
			return false;
		}
		for (const line of hunkLines(text, hunk)) {
			if (line.kind === 'added') {
				this.#made.push({ kind: 'line', text: line.text, hasLineEnd: line.hasLineEnd, base: undefined });
				continue;
			}
			const taken = this.#take(line);
			if (!taken) {
				return false;
			}
			if (line.kind === 'context') {
				this.#made.push(taken);
			}
		}
		return true;
	}

	/** Copies the lines above. */
	#skipTo(line: number): boolean {
		while (this.#line < line) {
			const piece = this.#rest.pop();
			if (!piece) {
				return false;
			}
			const wanted = line - this.#line;
			if (piece.kind === 'line') {
				this.#line += 1;
				this.#made.push(piece);
			} else if (piece.to === undefined || piece.to - piece.from + 1 > wanted) {
				this.#made.push({ kind: 'gap', from: piece.from, to: piece.from + wanted - 1 });
				this.#rest.push({ kind: 'gap', from: piece.from + wanted, to: piece.to });
				this.#line = line;
			} else {
				this.#line += piece.to - piece.from + 1;
				this.#made.push(piece);
			}
		}
		return this.#line === line;
	}

	/** Consumes the next line; `undefined` if it differs. */
	#take({ text, hasLineEnd }: { readonly text: string; readonly hasLineEnd: boolean }): KnownLine | undefined {
		const piece = this.#rest.pop();
		this.#line += 1;
		if (!piece || piece.kind === 'line') {
			return piece?.text === text && piece.hasLineEnd === hasLineEnd ? piece : undefined;
		}
		const { from, to } = piece;
		if (hasLineEnd && (to === undefined || to > from)) {
			this.#rest.push({ kind: 'gap', from: from + 1, to });
		}
		const line: KnownLine = { kind: 'line', text, hasLineEnd, base: from };
		this.#learnt.set(from, line);
		return line;
	}
}

/** Fills the gaps of a text with lines that another text with the same base shows. */
export function filled({ pieces, learnt }: SparseText, other: SparseText): SparseText {
	const known = new KnownLines(other.learnt);
	const made = pieces.flatMap((piece) => (piece.kind === 'line' ? [piece] : Array.from(known.inside(piece))));
	return { pieces: made, learnt: new Map([...learnt, ...other.learnt]) };
}

type Gap = Extract<SparsePiece, { kind: 'gap' }>;

/** Sorted lines, for gaps in the same order. */
class KnownLines {
	readonly #lines: readonly (readonly [base: number, line: KnownLine])[];
	#next = 0;

	constructor(learnt: ReadonlyMap<number, KnownLine>) {
		this.#lines = Array.from(learnt).toSorted(([one], [another]) => one - another);
	}

	/** Splits a gap around its known lines. */
	*inside({ from, to }: Gap): Generator<SparsePiece, void> {
		let start = from;
		let isAtEnd = false;
		for (; this.#next < this.#lines.length; this.#next++) {
			const [base, line] = this.#lines[this.#next]!;
			if (to !== undefined && base > to) {
				break;
			}
			if (base < from) {
				continue;
			}
			if (base > start) {
				yield { kind: 'gap', from: start, to: base - 1 };
			}
			yield line;
			isAtEnd = !line.hasLineEnd;
			start = base + 1;
		}
		if (!isAtEnd && (to === undefined || start <= to)) {
			yield { kind: 'gap', from: start, to };
		}
	}
}
