import * as vscode from 'vscode';
import { unsentFields, type WithExtra } from 'sourcehut/port/extra.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { escapeMarkdown } from '../../engine/text/escapeMarkdown.ts';
import { visibleLine } from '../../engine/text/visible.ts';

/** Lists the parts that the forge failed to send; empty if there are none. */
export function unsentText(things: readonly WithExtra[]): string {
	const parts = new Set(things.flatMap(unsentFields).map(partText));
	return parts.size === 0
		? ''
		: vscode.l10n.t('The forge did not send everything. Missing: {0}. Refresh to try again.', [...parts].join(', '));
}

/** A word for the row of an incomplete thing. */
export function unsentMark(thing: WithExtra): readonly string[] {
	return unsentFields(thing).length === 0 ? [] : [vscode.l10n.t('incomplete')];
}

/** Throws if the forge failed to send the description: editing would overwrite it. */
export function sentDescription(thing: WithExtra & { readonly description: string | undefined }): string | undefined {
	if (isDescriptionUnsent(thing)) {
		throw new ForgeError({ kind: 'serverError', status: undefined }, { isUnsent: true });
	}
	return thing.description;
}

export function isDescriptionUnsent(thing: WithExtra): boolean {
	return unsentFields(thing).some((field) => field === 'description' || field === 'body');
}

/** Tooltip paragraphs: missing fields, then unknown fields as text. */
export function extraParagraphs({ extra = [] }: WithExtra): readonly string[] {
	const unsent = unsentText([{ extra }]);
	const unknown = extra.flatMap(({ name, json }) => (json === undefined ? [] : [visibleLine(`${name}: ${json}`)]));
	return [...(unsent === '' ? [] : [`⚠ ${unsent}`]), ...unknown].map(escapeMarkdown);
}

/** `field`: path of a field in an answer, as `submitter.name`. */
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
