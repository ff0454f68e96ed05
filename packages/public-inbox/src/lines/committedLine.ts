import { hunkLines } from 'patchmail/patch/hunkLines.ts';
import { parseDiff } from 'patchmail/patch/parseDiff.ts';
import { patchId } from 'patchmail/patch/patchId.ts';
import type { DiffInText, PatchMail } from 'patchmail/series/seriesReading.ts';
import { subjectPlace } from 'patchmail/series/subjectPlace.ts';
import { readArchivePlace } from '../read/archivePlace.ts';

/** A line of a file, and the commit that added it. */
export interface CommittedLine {
	readonly commit: string;
	readonly subject: string;
	/** The author's address, without the help of a mailmap. */
	readonly author: string;
	readonly authoredMs: number;
	readonly committedMs: number;
	/** With trailers. */
	readonly message: string;
	/** As `git format-patch` writes it. Empty for a merge. */
	readonly diff: string;
	/** Of the file in the commit, with slashes. */
	readonly path: string;
	/** Without its line end. */
	readonly text: string;
}

/** Everything of a commit that its mails are compared with. */
export interface CommitFacts {
	readonly title: string;
	readonly author: string;
	readonly patchId: string | undefined;
	/** Added lines by name of the file, each as its own key. */
	readonly added: AddedLines;
}

/** Lines by name of the file: maintainers move files, so folders say little. */
type AddedLines = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** A mail's patch beside the commit. */
export interface PatchFacts {
	/** It has the commit's title, or its changes. */
	readonly isSame: boolean;
	/** Of the same author, and half of its lines, or of the commit's, are in both. */
	readonly isAlike: boolean;
	/** Whether it adds this line to a file of this name. */
	readonly adds: (line: CommittedLine) => boolean;
}

export function commitFacts({ subject, author, diff }: CommittedLine): CommitFacts {
	const parsed = parseDiff(diff);
	return {
		title: titleOf(subject),
		author: author.toLowerCase(),
		patchId: parsed.files.length === 0 ? undefined : patchId(diff, parsed.start),
		added: addedLines({ diff: parsed, diffText: diff }, undefined),
	};
}

/** Keeps only lines of the commit, as its own strings: a part of a text keeps the whole text in memory. */
export function patchFacts(patch: PatchMail, subject: string, commit: CommitFacts): PatchFacts {
	const added = addedLines(patch, commit.added);
	const { files, start } = patch.diff;
	const common = tellingLines(added);
	const fewer = Math.min(tellingLines(addedLines(patch, undefined)), tellingLines(commit.added));
	return {
		isSame:
			titleOf(subject) === commit.title ||
			titleOf(patch.subject) === commit.title ||
			(commit.patchId !== undefined && files.length > 0 && patchId(patch.diffText, start) === commit.patchId),
		isAlike: patch.author?.address.toLowerCase() === commit.author && common > 0 && common * 2 >= fewer,
		adds: ({ path, text }) => added.get(fileName(path))?.has(text.trimEnd()) === true,
	};
}

function tellingLines(added: AddedLines): number {
	return Array.from(added.values()).reduce((sum, lines) => sum + [...lines.keys()].filter(isTelling).length, 0);
}

/** Shorter lines are in every patch. */
export function isTelling(line: string): boolean {
	return (line.match(/[\p{L}\p{N}]/gu) ?? []).length >= fewestLetters;
}

const fewestLetters = 6;

/** `among`: the only lines to keep. Mail programs drop blanks at ends of lines. */
function addedLines({ diff, diffText }: DiffInText, among: AddedLines | undefined): AddedLines {
	const added = new Map<string, Map<string, string>>();
	for (const { newPath = '', content } of diff.files) {
		const name = fileName(newPath);
		const wanted = among?.get(name);
		if (content.kind !== 'text' || (among && !wanted)) {
			continue;
		}
		const lines = added.get(name) ?? new Map<string, string>();
		added.set(name, lines);
		for (const hunk of content.hunks) {
			for (const { kind, text } of hunkLines(diffText, hunk)) {
				const line = text.trimEnd();
				const own = wanted ? wanted.get(line) : line;
				if (kind === 'added' && own !== undefined) {
					lines.set(own, own);
				}
			}
		}
	}
	return added;
}

export function fileName(path: string): string {
	return path.slice(path.lastIndexOf('/') + 1);
}

/** The words of a subject without its tags. */
export function titleOf(subject: string): string {
	const bare = subjectPlace(subject)?.subject ?? subject;
	return bare
		.replace(/^(?:\s*\[[^\]]*\])+/, '')
		.replaceAll(/\s+/g, ' ')
		.trim()
		.toLowerCase();
}

/** Message-IDs of the mails that a commit message names in trailers, the likeliest first: maintainers add theirs last. */
export function statedIds(message: string): readonly string[] {
	const found = Array.from(message.matchAll(/^[ \t]*(?:message-id|link):[ \t]*(\S+)/gim), ([, value = '']) => {
		const place = readArchivePlace(value);
		return place && place.kind !== 'place' ? place.messageId : undefined;
	});
	return [...new Set(found.filter((id) => id !== undefined).toReversed())];
}
