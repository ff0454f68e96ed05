import type { TextPiece } from './protocol/pageProtocol.ts';
import { h } from './dom.ts';
import { pilled } from './texts.ts';

/** Text with links; `followLinks` handles the clicks. */
export function textPieces(pieces: readonly TextPiece[]): DocumentFragment {
	const fragment = document.createDocumentFragment();
	for (const piece of pieces) {
		const text = pilled(piece.text);
		fragment.append(piece.kind === 'link' ? h('a', { href: piece.href, title: piece.href }, text) : text);
	}
	return fragment;
}
