import * as vscode from 'vscode';
import { copyText } from '../ask/copyText.ts';
import { choose } from '../ask/ask.ts';
import type { CommandTable } from '../commands/feature.ts';
import { editorLink, type EditorName } from './editorLink.ts';
import { notify } from '../ask/notify.ts';
import { openExactly } from './openExactly.ts';

/** The things of one area that have an address on the web. */
export interface LinkSource {
	/** What they are called, for the question which one is meant. */
	readonly name: string;
	/** The address, `undefined` for what is none of these things. */
	webLink(subject: unknown): string | undefined;
	/** Asks which one is meant, and answers its address. Throws an abort when the question is closed. */
	askForLink(signal: AbortSignal): Promise<string>;
}

/**
 * Copying and opening addresses, of a row, of the page or document in front, or of whatever the user then chooses.
 * `pageInFront` tells what the page in front is about, `editor` how links into this editor begin.
 */
export function linkCommands(
	sources: readonly LinkSource[],
	pageInFront: () => unknown,
	editor: EditorName,
): CommandTable {
	async function linkOf(subject: unknown, question: string, signal: AbortSignal): Promise<string> {
		const candidates = [subject, pageInFront(), vscode.window.activeTextEditor?.document.uri];
		const known = candidates
			.flatMap((candidate) => sources.map((source) => source.webLink(candidate)))
			.find((link) => link !== undefined);
		if (known !== undefined) {
			return known;
		}
		const source = await choose(
			question,
			sources.map((each) => ({ label: each.name, value: each })),
		);
		return source.askForLink(signal);
	}

	return {
		'forge.copyLink': async (subject, signal) => {
			await copyText(await linkOf(subject, vscode.l10n.t('Choose what to copy a link to'), signal));
		},
		'forge.copyEditorLink': async (subject, signal) => {
			const link = editorLink(editor, await linkOf(subject, vscode.l10n.t('Choose what to copy a link to'), signal));
			if (link === undefined) {
				return void notify(
					'information',
					vscode.l10n.t('This address is too long for a VS Code link. Copy the web link instead.'),
				);
			}
			await copyText(link);
		},
		'forge.openOnWeb': async (subject, signal) => {
			await openExactly(await linkOf(subject, vscode.l10n.t('Choose what to open on the web'), signal));
		},
	};
}
