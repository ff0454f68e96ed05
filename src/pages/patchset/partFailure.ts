import type { PatchsetPart } from '../protocol/patchsetProtocol.ts';
import { h, onClick } from '../dom.ts';
import { icon } from '../icons.ts';
import { pilled } from '../texts.ts';
import type { PageContext } from './pageContext.ts';

/** Error of a part, in its place, with a retry button. */
export function partFailure(
	part: PatchsetPart,
	reason: string | undefined,
	context: PageContext,
): readonly HTMLElement[] {
	if (reason === undefined) {
		return [];
	}
	const again = onClick(h('button', { class: 'secondary', type: 'button' }, context.strings.tryAgain), () =>
		context.ask('again', part),
	);
	return [h('div', { class: 'failure', role: 'alert' }, icon('error'), h('span', {}, pilled(reason)), again)];
}
