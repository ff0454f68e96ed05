import * as vscode from 'vscode';
import { isAbort } from '../../../base/abort.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import { isBareRefusal } from '../../../forge/port/forgeError.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { PatchsetSubject } from '../subjects/subjects.ts';
import { statusLook } from '../subjects/words.ts';
import type { StatusOutcome } from './statusWrites.ts';

/** Outcome for one patchset, as a sentence. */
export function outcomeText(
	outcome: StatusOutcome,
	subject: PatchsetSubject,
	problems: Pick<Problems, 'explain'>,
): string {
	switch (outcome.kind) {
		case 'done': {
			const { text } = statusLook(outcome.patchset.status);
			return outcome.wasLost ? `${text} · ${vscode.l10n.t('The response was lost, but the change was made.')}` : text;
		}
		case 'refused':
			return isBareRefusal(outcome.error) ? whoMayText(subject) : problems.explain(outcome.error).message;
		case 'unread':
			return problems.explain(outcome.error).message;
		case 'missing':
			return vscode.l10n.t('The connection was lost, and the change was not made. It can be sent again.');
		case 'unclear':
			if (isAbort(outcome.error)) {
				return vscode.l10n.t('Cancelled while the change was being sent. Check the patchset before you send it again.');
			}
			return vscode.l10n.t(
				'The connection was lost, and it is not known whether the change was made. Check the patchset before you send it again.',
			);
		case 'changed':
			return vscode.l10n.t('Not changed: it was set to {0} in the meantime.', statusLook(outcome.patchset.status).text);
		case 'notTried':
			return vscode.l10n.t('Not tried.');
	}
}

/** On some servers only the list's owner can set a status (docs/protocol.md#patchset-updates). */
export function whoMayText({ ref }: PatchsetSubject): string {
	return vscode.l10n.t(
		"The forge rejected this status: only the list's owner can set it. Ask {0}, or mark it in a reply.",
		visibleLine(ref.list.owner),
	);
}
