import * as vscode from 'vscode';
import type { Clock } from '../../../base/clock.ts';
import { untrustedMarkdown } from '../../../editor/documents/untrustedMarkdown.ts';
import { accountText, countField, textField, ToolInputError } from '../../../editor/models/toolInput.ts';
import { quotableLines, type QuotableLine } from '../../../review/quotableLines.ts';
import type { DraftLines } from '../../../review/reviewDraft.ts';
import type { SeriesPatch, SeriesReading } from '../../../series/seriesReading.ts';
import type { Connections } from '../../../state/connection.ts';
import type { Drafts } from '../../../state/drafts/drafts.ts';
import { keepComment, type Reviewed } from '../../../state/drafts/reviewDrafts.ts';
import { codeBlock } from '../../../text/codeBlock.ts';
import { escapeMarkdown } from '../../../text/escapeMarkdown.ts';
import { untrustedFrame } from '../../../text/untrustedFrame.ts';
import { forgeName, visibleLine } from '../../../text/visible.ts';
import { oneLine } from './mailTexts.ts';
import { patchsetAddress, patchsetField } from './toolTargets.ts';

export interface DraftToolParts {
	readonly connections: Connections;
	readonly drafts: Drafts;
	readonly clock: Clock;
	/** Returns a unique name. */
	readonly newName: () => string;
}

/** A draft comment that a language model requested. */
export interface AskedDraft {
	readonly of: Reviewed;
	readonly place: DraftLines;
	readonly text: string;
	/** Shown to the user: `2/4`, the path, and the line with its sign. */
	readonly patch: string;
	readonly path: string;
	readonly quoted: string;
}

const longestText = 16_384;
/** Limits of the lists in error messages. */
const mostRanges = 100;
const largestListBytes = 4096;

/** Finds the requested line in the patchset. Throws `ToolInputError` with the available patches, files or lines. */
export async function askedDraft(connections: Connections, input: unknown, signal: AbortSignal): Promise<AskedDraft> {
	const { connection, what } = patchsetField(input, connections);
	const [index, line] = [countField(input, 'patch'), countField(input, 'line')];
	const side = sideField(input);
	const path = textField(input, 'file');
	const text = textField(input, 'text');
	if (path === undefined || text === undefined || text.trim() === '') {
		throw new ToolInputError(`The field "${path === undefined ? 'file' : 'text'}" is missing.`);
	}
	if (text.length > longestText) {
		throw new ToolInputError(`The field "text" has to have at most ${longestText} characters.`);
	}
	const { series } = await connection.reviews.read(what, signal);
	const patch = patchOf(series, index);
	const file = fileOf(patch, path, side);
	const { quoted, place } = lineOf(patch, { file, side, line });
	return {
		of: { connectionKey: connection.key, ref: what.list, patchsetId: what.id },
		place,
		text,
		patch: `${index}/${series.count}`,
		path,
		quoted,
	};
}

function sideField(input: unknown): DraftLines['side'] {
	const side = textField(input, 'side') ?? 'new';
	if (side !== 'new' && side !== 'old') {
		throw new ToolInputError('The field "side" has to be "new" or "old".');
	}
	return side;
}

function patchOf({ patches }: SeriesReading, index: number): SeriesPatch {
	const patch = patches.find((each) => each.index === index);
	if (!patch) {
		const known = patches.map((each) => each.index).join(', ');
		throw new ToolInputError(`There is no patch ${index}. The patchset has: ${known === '' ? 'none' : known}.`);
	}
	return patch;
}

/** Index of the file with this path, on this side first. */
function fileOf({ patch }: SeriesPatch, path: string, side: DraftLines['side']): number {
	const { files } = patch.diff;
	const [own, other] = side === 'old' ? (['oldPath', 'newPath'] as const) : (['newPath', 'oldPath'] as const);
	const exact = files.findIndex((file) => file[own] === path);
	const at = exact === -1 ? files.findIndex((file) => file[other] === path) : exact;
	if (at === -1) {
		const known = files.map(({ oldPath, newPath }) => oneLine(newPath ?? oldPath ?? ''));
		throw new ToolInputError(
			`This patch does not change that file. The files that it changes:\n${untrustedFrame(known.join('\n'), largestListBytes)}`,
		);
	}
	return at;
}

interface WantedLine {
	readonly file: number;
	readonly side: DraftLines['side'];
	readonly line: number;
}

function lineOf(patch: SeriesPatch, { file, side, line }: WantedLine): Pick<AskedDraft, 'quoted' | 'place'> {
	const numberOf = ({ old, fresh }: QuotableLine): number | undefined => (side === 'old' ? old : fresh);
	const isOnSide = (each: QuotableLine): boolean =>
		each.origin.kind === 'line' && each.origin.file === file && numberOf(each) !== undefined;
	const shown = quotableLines(patch.mail, patch).filter(isOnSide);
	const found = shown.find((each) => numberOf(each) === line);
	if (!found) {
		const ranges = rangesText(shown.flatMap((each) => numberOf(each) ?? []));
		throw new ToolInputError(
			ranges === ''
				? `The patch shows no lines of this file on the ${side} side.`
				: `The patch does not show line ${line} of this file on the ${side} side. The lines that it shows there: ${ranges}.`,
		);
	}
	const { messageId } = patch.mail;
	return { quoted: found.text, place: { kind: 'lines', messageId, file, side, firstLine: line, line } };
}

/** `38-47, 90` from ascending numbers. */
function rangesText(numbers: readonly number[]): string {
	const ranges: { readonly first: number; last: number }[] = [];
	for (const number of numbers) {
		const last = ranges.at(-1);
		if (last?.last === number - 1) {
			last.last = number;
		} else {
			ranges.push({ first: number, last: number });
		}
	}
	const shown = ranges
		.slice(0, mostRanges)
		.map(({ first, last }) => (first === last ? String(first) : `${first}-${last}`));
	return [...shown, ...(ranges.length > mostRanges ? ['and more'] : [])].join(', ');
}

/** Confirmation of a draft. Code blocks keep its texts from hiding the target. */
export function draftQuestion(connections: Connections, asked: AskedDraft): vscode.PreparedToolInvocation {
	const { of, place, text, patch, path, quoted } = asked;
	const connection = connections.byKey(of.connectionKey);
	const ref = { list: of.ref, id: of.patchsetId };
	const patchset = forgeName(patchsetAddress(ref, connection?.lists.knownPatchset(ref)?.messageId));
	const where =
		place.side === 'old'
			? vscode.l10n.t('On line {0} of {1} before patch {2}:', place.line, path, patch)
			: vscode.l10n.t('On line {0} of {1} after patch {2}:', place.line, path, patch);
	return {
		invocationMessage: vscode.l10n.t('Adding a draft comment to {0}', patchset),
		confirmationMessages: {
			title: vscode.l10n.t('Add a draft comment to {0}?', patchset),
			message: untrustedMarkdown([
				escapeMarkdown(visibleLine(accountText(connection))),
				escapeMarkdown(visibleLine(where)),
				codeBlock(quoted),
				escapeMarkdown(vscode.l10n.t('This draft comment will be added. Nothing is sent:')),
				codeBlock(text),
			]),
		},
	};
}

/** Stores the draft like a comment box does. Returns the answer for the model. */
export async function keepAskedDraft(
	{ drafts, clock, newName }: Pick<DraftToolParts, 'drafts' | 'clock' | 'newName'>,
	{ of, place, text }: AskedDraft,
): Promise<string> {
	await keepComment(drafts, of, { id: newName(), place, text }, clock.nowMs());
	return 'Kept as a draft comment. Nothing was sent: the person reads, changes and sends drafts.';
}
