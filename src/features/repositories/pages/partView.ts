import type { PartView } from '../../../protocol/repositoryView.ts';
import type { ReadPart } from '../../../state/shared/readPart.ts';

/** How a part of a page is shown, once `show` has made something of what was read; nothing to show hides it. */
export function partView<T, View>(
	part: ReadPart<T>,
	explain: (error: unknown) => string,
	show: (value: T) => View | undefined,
): PartView<View> {
	switch (part.kind) {
		case 'reading':
			return { kind: 'loading' };
		case 'failed':
			return { kind: 'failed', reason: explain(part.error) };
		case 'known': {
			const value = show(part.value);
			return value === undefined ? { kind: 'hidden' } : { kind: 'shown', value };
		}
	}
}
