import type { Steps } from '@forge-desk/base/timeSlice.ts';
import { lineKey, lineWords, withoutSign } from './lineKey.ts';
import type { LineOrigin, SourceSection } from './sourceLines.ts';

/** Number of consecutive words in the index for modified lines. */
const shingle = 3;
const linesPerStep = 50;
/** Ends each section; no word is empty. */
const sectionEnd = '';

/** Index of all quotable text. Lines and words are identified by position. */
export class SourceIndex {
	readonly #origins: LineOrigin[] = [];
	readonly #groups: Group[] = [];
	readonly #isBlank: boolean[] = [];
	readonly #isChanged: boolean[] = [];
	readonly #words: string[] = [];
	readonly #lineOfWord: number[] = [];
	readonly #wordEnds: number[] = [];
	readonly #exact = new Map<string, number[]>();
	readonly #bare = new Map<string, number[]>();
	readonly #shingles = new Map<string, number[]>();
	readonly #heads = new Map<string, number[]>();
	#section = 0;
	/** End of the words already in the shingle index. */
	#shingled = 0;

	*add(sections: Iterable<SourceSection>): Steps<void> {
		for (const { part, lines } of sections) {
			this.#section += 1;
			const firstWord = this.#words.length;
			for (const { text, origin } of lines) {
				this.#addLine(text, origin, { mailId: origin.mailId, part, section: this.#section });
				for (let at = Math.max(firstWord, this.#shingled); at + shingle <= this.#words.length; at++) {
					put(this.#shingles, shingleOf(this.#words, at), at);
					this.#shingled = at + 1;
				}
				if (this.#origins.length % linesPerStep === 0) {
					yield;
				}
			}
			this.#words.push(sectionEnd);
			this.#lineOfWord.push(this.#origins.length - 1);
		}
	}

	#addLine(text: string, origin: LineOrigin, group: Group): void {
		const line = this.#origins.length;
		const key = lineKey(text);
		this.#origins.push(origin);
		this.#groups.push(group);
		this.#isBlank.push(key === '');
		this.#isChanged.push(origin.kind !== 'line' || /^[+-]/.test(text));
		if (key !== '') {
			put(this.#exact, key, line);
			const bare = origin.kind === 'line' ? withoutSign(key) : undefined;
			if (bare !== undefined && bare !== '') {
				put(this.#bare, bare, line);
			}
			const words = lineWords(text);
			for (const count of [1, 2]) {
				if (words.length > count) {
					put(this.#heads, words.slice(0, count).join(' '), this.#words.length);
				}
			}
			for (const word of words) {
				this.#words.push(word);
				this.#lineOfWord.push(line);
			}
		}
		this.#wordEnds.push(this.#words.length);
	}

	originOf(line: number): LineOrigin | undefined {
		return this.#origins[line];
	}

	/** Exact lines, in order. */
	exact(key: string): readonly number[] {
		return this.#exact.get(key) ?? [];
	}

	/** Diff lines without or with another sign, also context lines quoted as changes. */
	bare(key: string): readonly number[] {
		const unsigned = withoutSign(key);
		const changed = this.#bare.get(unsigned ?? key) ?? [];
		return changed.length > 0 || unsigned === undefined ? changed : this.exact(unsigned);
	}

	/** Word positions that match a sequence starting at `from`; looks up only its first words. */
	wordsLike(words: readonly string[], from: number): readonly number[] {
		return words.length < from + shingle ? [] : (this.#shingles.get(shingleOf(words, from)) ?? []);
	}

	/** The same for one or two words at the start of a longer line. */
	headsLike(words: readonly string[]): readonly number[] {
		return this.#heads.get(words.join(' ')) ?? [];
	}

	/** Number of consecutive equal words. */
	runAt(word: number, words: readonly string[]): number {
		let count = 0;
		while (count < words.length && this.#words[word + count] === words[count]) {
			count += 1;
		}
		return count;
	}

	lineOfWord(word: number): number {
		return this.#lineOfWord[word]!;
	}

	/** Index after the last word of a line. */
	wordEnd(line: number): number {
		return this.#wordEnds[line] ?? 0;
	}

	/** Number of nonblank lines between two lines, up to `most`. */
	linesBetween(before: number, after: number, most: number): number {
		let count = 0;
		for (let line = before + 1; line < after && count < most; line++) {
			count += this.#isBlank[line] === true ? 0 : 1;
			if (line - before > 8 * most) {
				return most;
			}
		}
		return count;
	}

	/** True for an added or removed line of a diff. */
	isChange(line: number): boolean {
		return this.#isChanged[line] === true;
	}

	/** True when only context follows in the diff of the same mail. */
	isBelowChanges(line: number): boolean {
		const mailId = this.#groups[line]?.mailId;
		for (let at = line + 1; at < this.#origins.length; at++) {
			const origin = this.#origins[at];
			if (origin?.mailId !== mailId || origin?.kind === 'aside') {
				return true;
			}
			if (this.#isBlank[at] !== true && this.#isChanged[at] === true) {
				return false;
			}
		}
		return true;
	}

	/** Relation of two lines: 3 in one section, 2 in one file, 1 in one mail, else 0. */
	kinship(one: number, other: number): number {
		const [a, b] = [this.#groups[one], this.#groups[other]];
		if (a === undefined || b === undefined || a.mailId !== b.mailId) {
			return 0;
		}
		return a.section === b.section ? 3 : a.part === b.part ? 2 : 1;
	}
}

interface Group {
	readonly mailId: number;
	readonly part: number;
	readonly section: number;
}

function shingleOf(words: readonly string[], at: number): string {
	return `${words[at]} ${words[at + 1]} ${words[at + 2]}`;
}

function put(map: Map<string, number[]>, key: string, value: number): void {
	const values = map.get(key);
	if (values === undefined) {
		map.set(key, [value]);
	} else {
		values.push(value);
	}
}
