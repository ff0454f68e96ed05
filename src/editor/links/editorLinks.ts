import * as vscode from 'vscode';
import { nameIn } from 'sourcehut/port/destination.ts';
import type { ForgeInstance } from 'sourcehut/port/instance.ts';
import type { Connections } from '../../store/connection.ts';
import { visibleLine } from '../../engine/text/visible.ts';
import { offer } from '../ask/askConnection.ts';
import { destinationText, firstAt } from './destinationText.ts';
import { addressOfLink } from './editorLink.ts';
import { confirm, notify } from '../ask/notify.ts';
import { openDestination } from './openDestination.ts';
import type { Problems } from '../ask/problems.ts';

/**
 * Opens links from outside of the editor: from a page, a mail, another program. A link can only open things of a
 * configured forge, after the user has confirmed the thing and its forge. Drops further links during the question.
 */
export function editorLinks(
	connections: Connections,
	forges: () => readonly ForgeInstance[],
	ready: () => Promise<void>,
	problems: Problems,
) {
	const ending = new AbortController();
	let isAsking = false;

	/** What the person agreed to open; `undefined` when it was refused or they did not agree. */
	async function ask(link: vscode.Uri) {
		const url = addressOfLink(link);
		if (!url) {
			return refuse(vscode.l10n.t('This VS Code link was rejected: it does not contain exactly one URL of a forge.'));
		}
		await ready();
		const found = firstAt(url, forges(), (forge) => forge);
		if (!found) {
			return refuse(vscode.l10n.t('This VS Code link was rejected: it belongs to no forge that is configured here.'));
		}
		const { at: instance, to } = found;
		if (to.kind === 'web') {
			return refuse(vscode.l10n.t('This VS Code link was rejected: its page can only be shown on the web.'));
		}
		// The owner's own account where there are several of that forge, else the first.
		const accounts = connections.all().filter((each) => each.instance.id === instance.id);
		const connection = accounts.find(({ me }) => me === nameIn(to)?.owner) ?? accounts[0];
		if (!connection) {
			void offer(
				vscode.l10n.t('You are not signed in to {0}. Sign in, and open the link again.', visibleLine(instance.name)),
				{ label: vscode.l10n.t('Sign In…'), command: 'forge.accounts.signIn' },
			);
			return undefined;
		}
		const isAgreed = await confirm(
			vscode.l10n.t('A link from outside the editor points to: {0}', destinationText(to)),
			visibleLine(url.href),
			vscode.l10n.t('Open'),
		);
		return isAgreed ? { connection, to } : undefined;
	}

	return {
		/** Settles when the link was opened, refused or left; never rejects. */
		async open(link: vscode.Uri) {
			try {
				if (isAsking) {
					return;
				}
				isAsking = true;
				const agreed = await ask(link).finally(() => (isAsking = false));
				if (agreed) {
					await openDestination(agreed.connection, agreed.to, ending.signal);
				}
			} catch (error) {
				// Shows nothing for an abort.
				void problems.show(error);
			}
		},
		dispose: () => ending.abort(),
	};
}

/** Not awaited, as above. The sentence says nothing of the link, so that many refusals are one notice. */
function refuse(sentence: string): undefined {
	void notify('warning', sentence);
}
