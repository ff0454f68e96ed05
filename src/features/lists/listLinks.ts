import * as vscode from 'vscode';
import { choose } from '../../editor/ask/ask.ts';
import type { LinkSource } from '../../editor/links/linkCommands.ts';
import { connectionOf } from '../../editor/commands/subjects.ts';
import { askMailOfList, askPatchset } from './subjects/listQuestions.ts';
import { listTarget, type TargetParts } from './subjects/listTargets.ts';
import { listWebLink, patchsetWebLink, webLink } from './subjects/webLink.ts';

/** Web addresses of lists, patchsets and mails for the copy and open commands. */
export function listLinks(parts: TargetParts): LinkSource {
	return {
		name: vscode.l10n.t('A list, patchset or message'),
		webLink: (subject) => webLink(parts.connections, subject),
		askForLink: (signal) => askForLink(parts, signal),
	};
}

async function askForLink(parts: TargetParts, signal: AbortSignal): Promise<string> {
	const list = await listTarget(parts, undefined, signal);
	const connection = connectionOf(parts.connections, list);
	const kind = await choose<'list' | 'patchset' | 'mail'>(vscode.l10n.t('Choose the list, a patchset or a message'), [
		{ label: vscode.l10n.t('The list itself'), value: 'list' },
		{ label: vscode.l10n.t('A patchset…'), value: 'patchset' },
		{ label: vscode.l10n.t('A message…'), value: 'mail' },
	]);
	switch (kind) {
		case 'list':
			return listWebLink(connection.instance, list.ref);
		case 'patchset':
			return patchsetWebLink(connection, (await askPatchset(connection, list.ref, signal)).ref);
		case 'mail':
			return webLink(parts.connections, await askMailOfList(connection, list.ref, signal)) ?? '';
	}
}
