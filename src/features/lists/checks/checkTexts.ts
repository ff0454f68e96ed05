import * as vscode from 'vscode';
import { namesText } from '../../../editor/ask/notify.ts';
import type { Conflict, FileVerdict } from 'patchmail/patch/tryFile.ts';
import { damageReason } from '../../../editor/patchDocuments/fileWords.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { PatchsetCheck } from './patchsetChecks.ts';

/** Result of a check for all patches. */
export type CheckOutcome = 'applies' | 'appliesElsewhere' | 'needsMerge' | 'alreadyApplied' | 'conflicts' | 'unknown';

/**
 * `appliesElsewhere`: with offsets. `needsMerge`: fits only with less context. `git am` then merges, and may stop at a
 * conflict. `unknown`: a diff is unreadable.
 */
export function outcomeOf({ verdicts, byGit }: PatchsetCheck): CheckOutcome {
	if (byGit?.stop) {
		return 'conflicts';
	}
	const kinds = verdicts.map(({ verdict }) => verdict.kind);
	if (kinds.includes('conflicts')) {
		return 'conflicts';
	}
	if (kinds.includes('empty')) {
		return 'unknown';
	}
	if (kinds.length > 0 && kinds.every((kind) => kind === 'alreadyApplied')) {
		return 'alreadyApplied';
	}
	const files = verdicts.flatMap(({ verdict }) => verdict.files);
	if (byGit?.isMerged === true || files.some((file) => file.kind === 'applies' && file.fuzz > 0)) {
		return 'needsMerge';
	}
	return files.every((file) => file.kind !== 'applies' || file.isExact) ? 'applies' : 'appliesElsewhere';
}

/** Short form for rows. */
export function checkWords(check: PatchsetCheck): string {
	const on = visibleLine(check.on);
	switch (outcomeOf(check)) {
		case 'applies':
			return vscode.l10n.t('applies to {0}', on);
		case 'appliesElsewhere':
			return vscode.l10n.t('applies to {0} with offsets', on);
		case 'needsMerge':
			return vscode.l10n.t('needs a three-way merge on {0}', on);
		case 'alreadyApplied':
			return vscode.l10n.t('already in {0}', on);
		case 'conflicts':
			return vscode.l10n.t('does not apply to {0}', on);
		case 'unknown':
			return vscode.l10n.t('could not be checked on {0}', on);
	}
}

/** Names the commit and the first file in conflict. */
export function checkSentence(check: PatchsetCheck): string {
	const [on, at] = [visibleLine(check.on), visibleLine(check.commit.slice(0, 10))];
	switch (outcomeOf(check)) {
		case 'applies':
			return withNotes(vscode.l10n.t('The patchset applies to {0} ({1}).', on, at), check);
		case 'appliesElsewhere':
			return withNotes(vscode.l10n.t('The patchset applies to {0} ({1}) with offsets.', on, at), check);
		case 'needsMerge':
			return withNotes(
				vscode.l10n.t(
					'The patchset needs a three-way merge to apply to {0} ({1}): lines near its changes are different there.',
					on,
					at,
				),
				check,
			);
		case 'alreadyApplied':
			return vscode.l10n.t('All patches are already in {0} ({1}).', on, at);
		case 'conflicts':
			return withNotes(
				vscode.l10n.t('The patchset does not apply to {0} ({1}): {2}.', on, at, firstConflict(check)),
				check,
			);
		case 'unknown':
			return vscode.l10n.t(
				'The patchset could not be checked on {0} ({1}): patch {2} has no diff that could be read.',
				on,
				at,
				check.verdicts.find(({ verdict }) => verdict.kind === 'empty')?.index ?? 0,
			);
	}
}

/** Appends doubts and the numbers of patches that the commit already has. */
function withNotes(text: string, check: PatchsetCheck): string {
	const { verdicts, byGit } = check;
	const notes = [text];
	if (!byGit && outcomeOf(check) !== 'conflicts') {
		notes.push(vscode.l10n.t('Only lines were compared: git could not confirm it.'));
	}
	const others = byGit?.others ?? [];
	if (others.length > 0) {
		const paths = namesText(others.map(visibleLine)).replaceAll('\n', ', ');
		notes.push(vscode.l10n.t('Git writes other contents than the diffs show to: {0}.', paths));
	}
	const unseen = byGit?.unseen ?? [];
	if (unseen.length > 0) {
		const paths = namesText(unseen.map(({ path }) => visibleLine(path))).replaceAll('\n', ', ');
		notes.push(
			vscode.l10n.t('The patches do not contain these binary files. Git takes them from the clone: {0}.', paths),
		);
	}
	const untried = byGit?.untried ?? [];
	if (untried.length > 0) {
		const paths = namesText(untried.map(visibleLine)).replaceAll('\n', ', ');
		notes.push(vscode.l10n.t('Too large to compare: {0}.', paths));
	}
	const messages = byGit?.otherMessages ?? [];
	if (messages.length > 0) {
		notes.push(otherMessagesText(messages));
	}
	const there = verdicts.filter(({ verdict }) => verdict.kind === 'alreadyApplied').map(({ index }) => index);
	if (there.length > 0) {
		notes.push(vscode.l10n.t('Patches already there: {0}.', listed(there)));
	}
	return notes.join(' ');
}

/** `indexes`: numbers of patches. */
export function otherMessagesText(indexes: readonly number[]): string {
	return vscode.l10n.t('Git commits another author, date or message than shown. Patches: {0}.', listed(indexes));
}

function listed(indexes: readonly number[]): string {
	return new Intl.ListFormat(vscode.env.language).format(indexes.map(String));
}

function firstConflict({ verdicts, byGit }: PatchsetCheck): string {
	const patch = verdicts.find(({ verdict }) => verdict.kind === 'conflicts');
	const at = patch?.verdict.files.findIndex(({ kind }) => kind === 'conflict') ?? -1;
	const file = patch?.verdict.files[at];
	if (patch && file) {
		return vscode.l10n.t('patch {0}, {1}: {2}', patch.index, visibleLine(patch.paths[at] ?? ''), fileVerdictText(file));
	}
	if (!byGit?.stop) {
		return '';
	}
	const { index, hasConflicts, reason } = byGit.stop;
	return hasConflicts
		? vscode.l10n.t('patch {0}: git stops at a conflict', index)
		: vscode.l10n.t('patch {0}: {1}', index, reason);
}

/** Result for one file. */
export function fileVerdictText(verdict: FileVerdict): string {
	switch (verdict.kind) {
		case 'applies':
			if (verdict.isExact) {
				return vscode.l10n.t('applies');
			}
			return verdict.fuzz > 0
				? vscode.l10n.t('needs a three-way merge: lines near the change are different')
				: vscode.l10n.t('applies with an offset of {0}', Math.abs(verdict.offset));
		case 'alreadyApplied':
			return vscode.l10n.t('already applied');
		case 'conflict':
			return verdict.damage ? damageReason(verdict.damage) : conflictText(verdict.reason);
	}
}

function conflictText(reason: Conflict): string {
	switch (reason) {
		case 'noMatch':
			return vscode.l10n.t('the lines that it changes are not there');
		case 'endInside':
			return vscode.l10n.t('it marks a line as the end of the file, but more follows, so git would change that line');
		case 'lostBytes':
			return vscode.l10n.t('the forge seems to have lost characters of the patch: it contains U+FFFD');
		case 'missing':
			return vscode.l10n.t('the file does not exist');
		case 'exists':
			return vscode.l10n.t('a file with that name already exists');
		case 'notFile':
			return vscode.l10n.t('a folder, submodule or file is in the way');
		case 'leavesText':
			return vscode.l10n.t('the file to delete has other lines');
		case 'afterConflict':
			return vscode.l10n.t('an earlier patch does not apply to this file');
		case 'notIncluded':
			return vscode.l10n.t('the patch does not contain the binary file');
		case 'needsBefore':
		case 'wrongBefore':
			return vscode.l10n.t('it changes another version of this binary file');
		case 'tooLarge':
		case 'tooMuchWork':
			return vscode.l10n.t('too large to check');
		case 'damaged':
		case 'badData':
		case 'merge':
			return vscode.l10n.t('the patch cannot be read');
	}
}
