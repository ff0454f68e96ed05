import * as vscode from 'vscode';
import { addressInFront } from '../commands/addressInFront.ts';
import { copyText } from '../ask/copyText.ts';
import { choose } from '../ask/ask.ts';
import type { CommandTable } from '../commands/feature.ts';
import { editorLink, type EditorName } from './editorLink.ts';
import { notify } from '../ask/notify.ts';
import { openExactly } from './openDestination.ts';

/** The things of one area that have an address on the web. */
export interface LinkSource {
	/** Readable name for the question. */
	readonly name: string;
	/** Web address; `undefined` for other things. */
	webLink(subject: unknown): string | undefined;
	/** Asks for a thing and returns its address. Throws an abort if the user closes the question. */
	askForLink(signal: AbortSignal): Promise<string>;
}

/**
 * Commands that copy and open addresses of a row, the active page or document, or a thing that the user chooses.
 * `pageInFront` returns the active page's subject; `editor` is the prefix of links into this editor.
 */
export function linkCommands(
	sources: readonly LinkSource[],
	pageInFront: () => unknown,
	editor: EditorName,
): CommandTable {
	async function linkOf(subject: unknown, question: string, signal: AbortSignal): Promise<string> {
		const candidates = [subject, pageInFront(), addressInFront()];
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
					vscode.l10n.t('This URL is too long for a VS Code link. Copy the web link instead.'),
				);
			}
			await copyText(link);
		},
		'forge.openOnWeb': async (subject, signal) => {
			await openExactly(await linkOf(subject, vscode.l10n.t('Choose what to open on the web'), signal));
		},
	};
}
