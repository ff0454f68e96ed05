import type { WithExtra } from '../forge/extra.ts';
import { escapeMarkdown } from './escapeMarkdown.ts';
import { visibleLine } from './visible.ts';

/** Paragraphs of a tooltip for fields that this version does not know, each with its name and value as text. */
export function extraParagraphs({ extra = [] }: WithExtra): readonly string[] {
	return extra.map(({ name, json }) => escapeMarkdown(visibleLine(`${name}: ${json}`)));
}
