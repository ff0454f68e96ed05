import * as vscode from 'vscode';
import type { ReadmeView } from '../../../protocol/repositoryView.ts';
import { linkedText } from '../../../text/linkedText.ts';
import type { MarkdownRenderer } from '../../../text/markdown.ts';
import { shownName } from '../subjects/words.ts';
import { placeInTree } from './placeInTree.ts';
import { pictureGiver, type Pictures } from './readmePictures.ts';
import type { Readme } from './readmeFile.ts';

/** Location of a README. */
export interface ReadmePlace {
	/** Web address of the file, the base of its links. */
	readonly base: string;
	/** Origin of the ticket area. */
	readonly todo: string;
	readonly owner: string;
}

/** A README as the page shows it; Markdown waits for its renderer. */
export function readmeView(
	readme: Readme,
	place: ReadmePlace,
	renderer: MarkdownRenderer | undefined,
	pictures: Pictures,
): ReadmeView | undefined {
	const name = shownName(readme.name);
	if (readme.kind === 'unfit') {
		return { kind: 'unfit', name, text: unfitText(readme.why) };
	}
	if (readme.text.trim() === '') {
		return { kind: 'unfit', name, text: vscode.l10n.t('It is empty.') };
	}
	if (!readme.isMarkdown) {
		return { kind: 'text', name, pieces: linkedText(readme.text.replaceAll('\r\n', '\n'), place) };
	}
	const give = pictureGiver(pictures);
	return renderer && { kind: 'markdown', name, html: rendered(readme.text, place, renderer, give) };
}

/** Paths of a README's pictures within its repository. */
export function wantedPictures(text: string, place: ReadmePlace, renderer: MarkdownRenderer): readonly string[] {
	const wanted: string[] = [];
	rendered(text, place, renderer, (path) => {
		wanted.push(path);
		return undefined;
	});
	return wanted;
}

/** Never load remote pictures: their host would learn about the reader. */
function rendered(
	text: string,
	{ base, todo, owner }: ReadmePlace,
	renderer: MarkdownRenderer,
	give: (path: string) => string | undefined,
): string {
	const picture = (address: string): string | undefined => {
		const place = placeInTree(address, base);
		return place && give(place.path);
	};
	return renderer.render(text, { base, todo, tracker: { owner, name: '' }, document: { picture } });
}

function unfitText(why: 'tooLarge' | 'binary'): string {
	switch (why) {
		case 'tooLarge':
			return vscode.l10n.t('It is too large to be shown here. Open it in the editor.');
		case 'binary':
			return vscode.l10n.t('It is not text. Open it in the editor.');
	}
}
