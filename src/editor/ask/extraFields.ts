import * as vscode from 'vscode';
import { unsentFields, type WithExtra } from '../../forge/extra.ts';
import { ForgeError } from '../../forge/forgeError.ts';
import { escapeMarkdown } from '../../text/escapeMarkdown.ts';
import { visibleLine } from '../../text/visible.ts';

/** Names the parts of things that the forge failed to send; empty where it sent all. */
export function unsentText(things: readonly WithExtra[]): string {
	const parts = new Set(things.flatMap(unsentFields).map(partText));
	return parts.size === 0
		? ''
		: vscode.l10n.t('The forge did not send everything. Missing: {0}. Refresh to try again.', [...parts].join(', '));
}

/** A word for the row of a thing of which the forge did not send everything. */
export function unsentMark(thing: WithExtra): readonly string[] {
	return unsentFields(thing).length === 0 ? [] : [vscode.l10n.t('incomplete')];
}

/** The description of a thing that was just read. Throws where the forge failed to send it: editing would replace it. */
export function sentDescription(thing: WithExtra & { readonly description: string | undefined }): string | undefined {
	if (isDescriptionUnsent(thing)) {
		throw new ForgeError({ kind: 'serverError', status: undefined }, { isUnsent: true });
	}
	return thing.description;
}

export function isDescriptionUnsent(thing: WithExtra): boolean {
	return unsentFields(thing).some((field) => field === 'description' || field === 'body');
}

/** Paragraphs of a tooltip: what the forge failed to send, then fields that this version does not know, as text. */
export function extraParagraphs({ extra = [] }: WithExtra): readonly string[] {
	const unsent = unsentText([{ extra }]);
	const unknown = extra.flatMap(({ name, json }) => (json === undefined ? [] : [visibleLine(`${name}: ${json}`)]));
	return [...(unsent === '' ? [] : [`⚠ ${unsent}`]), ...unknown].map(escapeMarkdown);
}

/** `field`: a field of an answer, maybe inside of another one, as `submitter.name`. */
function partText(field: string): string {
	switch (field.slice(field.lastIndexOf('.') + 1)) {
		case 'description':
		case 'body':
			return vscode.l10n.t('description');
		case 'acl':
			return vscode.l10n.t('permissions');
		case 'parent':
			return vscode.l10n.t('place in its thread');
		case 'patch':
		case 'patchset':
		case 'index':
		case 'version':
			return vscode.l10n.t('patchset');
		case 'coverLetter':
			return vscode.l10n.t('cover letter');
		case 'supersededBy':
		case 'supersedes':
			return vscode.l10n.t('other versions');
		case 'name':
		case 'externalUrl':
			return vscode.l10n.t('names of people');
		default:
			return visibleLine(field);
	}
}
