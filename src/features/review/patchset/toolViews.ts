import type { Patchset, PatchsetTool } from 'sourcehut/port/list.ts';
import type { ToolIcon, ToolView } from '../../../pages/protocol/patchsetProtocol.ts';
import type { MarkdownContext } from '../../../engine/text/markdown.ts';
import type { ListsDesk } from '../../lists/parts/listsDesk.ts';
import { toolText } from '../../lists/subjects/words.ts';

/** Limit against floods of tool results. */
const mostTools = 50;

/** Safe HTML of a tool's message; `undefined` until the renderer loads. */
export type ToolHtml = (details: string, context: MarkdownContext) => string | undefined;

/** Loads the renderer for the first tool result, then calls `loaded`. */
export function toolHtml({ renderer, problems }: ListsDesk, loaded: () => void): ToolHtml {
	let isAskedFor = false;
	return (details, context) => {
		const made = renderer.loaded();
		if (!made && !isAskedFor) {
			isAskedFor = true;
			renderer.load().then(loaded, problems.log);
		}
		return made?.render(details, context);
	};
}

/** Tool results of a patchset for its page. */
export function toolViews(
	{ tools = [] }: Patchset,
	html: (details: string) => string | undefined,
): readonly ToolView[] {
	return tools.slice(0, mostTools).map(({ state, details, updatedMs }) => ({
		icon: toolIcon(state),
		text: toolText(state),
		html: html(details),
		updatedAtMs: updatedMs,
	}));
}

function toolIcon(state: PatchsetTool['state']): ToolIcon {
	switch (state) {
		case 'pending':
		case 'waiting':
		case 'success':
		case 'failed':
		case 'cancelled':
			return state;
		default:
			// Words that this version does not know.
			return 'unknownState';
	}
}
