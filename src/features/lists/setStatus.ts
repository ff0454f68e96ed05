import * as vscode from 'vscode';
import { choose } from '../../editor/ask.ts';
import { withProgress } from '../../editor/progress.ts';
import { connectionOf } from '../../editor/subjects.ts';
import { isForgeError } from '../../forge/forgeError.ts';
import { settablePatchsetStatuses } from '../../forge/list.ts';
import type { ListsParts } from './listsParts.ts';
import type { PatchsetSubject } from './subjects.ts';
import { statusLook } from './words.ts';
import { notify, tellBriefly } from '../../editor/notify.ts';
import { visibleLine } from '../../text/visible.ts';

/** Asks for a status, sends it once, and says what the forge answered. Whoever may not is told who may. */
export async function setStatus(parts: ListsParts, subject: PatchsetSubject, signal: AbortSignal): Promise<void> {
	const { lists } = connectionOf(parts.connections, subject);
	const before = await lists.patchset(subject.ref, signal);
	const status = await choose(
		vscode.l10n.t('Status of “{0}”', visibleLine(before.subject)),
		settablePatchsetStatuses
			.filter((word) => word !== before.status)
			.map((word) => {
				const { text, codicon } = statusLook(word);
				return { label: text, iconPath: new vscode.ThemeIcon(codicon), value: word };
			}),
	);
	try {
		const after = await withProgress(vscode.l10n.t('Setting the status…'), signal, (working) =>
			lists.setStatus(subject.ref, status, working),
		);
		const said = vscode.l10n.t('{0}: {1}', after.subject, statusLook(after.status).text);
		tellBriefly(visibleLine(said));
	} catch (error) {
		// Whatever was refused, what is shown afterwards is what the forge says.
		lists.renewPatchset(subject.ref, signal).catch((again: unknown) => parts.problems.log(again));
		if (isForgeError(error) && error.problem.kind === 'notAllowed') {
			parts.problems.log(error);
			void sayWhoMay(subject);
			return;
		}
		throw error;
	}
}

/** Not awaited by the command: a notice that nobody closes must not keep it from ending. */
async function sayWhoMay(subject: PatchsetSubject): Promise<void> {
	const onWeb = vscode.l10n.t('Open on the Web');
	const chosen = await notify(
		'error',
		vscode.l10n.t(
			"The forge refused this status: only the list's owner may set it. Ask {0}, or mark it in a reply.",
			visibleLine(subject.ref.list.owner),
		),
		onWeb,
	);
	if (chosen === onWeb) {
		await vscode.commands.executeCommand('forge.openOnWeb', subject);
	}
}
