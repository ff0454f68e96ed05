import * as vscode from 'vscode';
import { assertNever } from '@forge-desk/base/assertNever.ts';
import { choose, type Choice } from '../../../editor/ask/ask.ts';
import { notify } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import type { Likeness } from 'patchmail/series/likeness.ts';
import type { VersionLink } from 'patchmail/series/versions.ts';
import { fullTime } from '../../../engine/text/age.ts';
import { shortLine, visibleLine } from '../../../engine/text/visible.ts';
import type { StatusSuggestion } from '../../../store/lists/patchsets/patchsetReview.ts';
import type { PatchsetSubject } from '../subjects/subjects.ts';
import { statusLook } from '../subjects/words.ts';
import { setStatus } from './setStatus.ts';
import type { StatusChanges } from './statusChanges.ts';

/** Maximum characters of a quote. */
const longestQuote = 120;

/** A suggested status and its evidence. Hidden characters are visible. */
export interface SuggestionText {
	/** `Superseded by v3` */
	readonly title: string;
	/** The reason, in a sentence. */
	readonly evidence: string;
	/** Quote that supports the sentence; may be empty. */
	readonly quote: string;
}

export function suggestionText(suggestion: StatusSuggestion): SuggestionText {
	switch (suggestion.kind) {
		case 'superseded': {
			const { by, link, likeness } = suggestion;
			return {
				title: vscode.l10n.t('Superseded by v{0}', by.version),
				evidence: versionEvidence(link, by.version, likeness),
				quote: shortLine(by.subject, longestQuote),
			};
		}
		case 'approvedInThread':
		case 'appliedInThread':
		case 'revisionAskedInThread': {
			const { account, reading, createdMs } = suggestion.mail;
			const from = reading.kind === 'read' ? reading.mail.from[0] : undefined;
			const who = visibleLine(account ?? from?.address ?? '');
			return {
				title: statusLook(suggestion.status).text,
				evidence: vscode.l10n.t('{0} wrote on {1}:', who, fullTime(createdMs, vscode.env.language)),
				quote: shortLine(suggestion.quote, longestQuote),
			};
		}
		default:
			return assertNever(suggestion);
	}
}

function versionEvidence(link: VersionLink, version: number, likeness: Likeness | undefined): string {
	switch (link) {
		case 'forge':
			return vscode.l10n.t('The forge names version {0} as its successor.', version);
		case 'thread':
			return vscode.l10n.t('Version {0} came as a reply in the same thread.', version);
		case 'stated':
		case 'claimed':
			return vscode.l10n.t('A cover letter states that version {0} is its successor.', version);
		case 'subject':
			return vscode.l10n.t('Version {0} has the same subject, prefix and sender.', version);
		case 'byHand':
			return vscode.l10n.t('You linked version {0} to it.', version);
		case 'person':
			return vscode.l10n.t('Version {0} has the same subject and prefix, from another address of the sender.', version);
		case 'patches':
		case 'perhaps':
			return vscode.l10n.t(
				'Version {0} has the same sender. Equal patches: {1} of {2}.',
				version,
				likeness?.equal ?? 0,
				likeness?.of ?? 0,
			);
	}
}

/** Loads hints for another status, shows them, and sets the user's choice; sets nothing without a choice. */
export async function suggestStatus(statuses: StatusChanges, subject: PatchsetSubject, signal: AbortSignal) {
	const connection = connectionOf(statuses.connections, subject);
	const { patchset, suggestions } = await withProgress(vscode.l10n.t('Loading the thread…'), signal, (working) =>
		connection.reviews.read(subject.ref, working),
	);
	if (suggestions.length === 0) {
		const text = vscode.l10n.t(
			'No suggested status change for "{0}" ({1}).',
			visibleLine(patchset.subject),
			statusLook(patchset.status).text,
		);
		// Not awaited: the notice may stay open for hours.
		void notify('information', text);
		return;
	}
	const title = vscode.l10n.t(
		'Evidence for another status of "{0}" ({1})',
		visibleLine(patchset.subject),
		statusLook(patchset.status).text,
	);
	// One row sets the status, the one below it opens the evidence.
	const rows = suggestions.flatMap(
		(suggestion): readonly Choice<{ readonly kind: 'set' | 'look'; readonly suggestion: StatusSuggestion }>[] => {
			const { title: status, evidence, quote } = suggestionText(suggestion);
			return [
				{
					label: vscode.l10n.t('Set to {0}', status),
					detail: quote === '' ? evidence : `${evidence} "${quote}"`,
					iconPath: new vscode.ThemeIcon(statusLook(suggestion.status).codicon),
					value: { kind: 'set', suggestion },
				},
				{
					label: vscode.l10n.t('View the Evidence First'),
					description: status,
					iconPath: new vscode.ThemeIcon('eye'),
					value: { kind: 'look', suggestion },
				},
			];
		},
	);
	const { kind, suggestion } = await choose(title, rows);
	if (kind === 'set') {
		return setStatus(statuses, [subject], suggestion.status, signal);
	}
	const { connectionKey, ref } = subject;
	if (suggestion.kind === 'superseded') {
		const newer: PatchsetSubject = { kind: 'patchset', connectionKey, ref: { list: ref.list, id: suggestion.by.id } };
		await vscode.commands.executeCommand('forge.patchsets.open', newer);
		return;
	}
	const { id, messageId } = suggestion.mail;
	const mail = { kind: 'mail', connectionKey, list: ref.list, id, messageId } as const;
	await vscode.commands.executeCommand('forge.lists.openThread', mail);
}
