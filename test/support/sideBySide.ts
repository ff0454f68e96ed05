import { stubbed } from './vscodeValues.ts';

/** Diffs show both sides in every width, which is not the editor's default. */
export function sideBySide(): void {
	stubbed.settings.set('diffEditor.renderSideBySide', true);
	stubbed.settings.set('diffEditor.useInlineViewWhenSpaceIsLimited', false);
}
