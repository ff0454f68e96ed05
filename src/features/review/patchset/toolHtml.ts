import type { MarkdownContext } from '../../../engine/text/markdown.ts';
import type { ListsContext } from '../../lists/context/listsContext.ts';

/** Safe HTML of a tool's message; `undefined` until the renderer loads. */
type ToolHtml = (details: string, context: MarkdownContext) => string | undefined;

/** Loads the renderer for the first tool result, then calls `loaded`. */
export function toolHtml({ renderer, problems }: ListsContext, loaded: () => void): ToolHtml {
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
