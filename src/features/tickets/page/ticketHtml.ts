import type { ForgeInstance } from '../../../forge/instance.ts';
import type { TicketRef } from '../../../forge/ticket.ts';
import type { MarkdownRenderer } from '../../../text/markdown.ts';
import { ticketWebLink } from '../subjects/webLink.ts';

/** Renders texts of one ticket, each of them once: a page redraws often and its texts rarely change. */
export function ticketHtml(
	renderer: MarkdownRenderer,
	instance: ForgeInstance,
	ref: TicketRef,
): (markdown: string) => string {
	const context = { base: ticketWebLink(instance, ref), tracker: ref.tracker };
	const rendered = new Map<string, string>();
	return (markdown) => {
		const html = rendered.get(markdown) ?? renderer.render(markdown, context);
		rendered.set(markdown, html);
		return html;
	};
}
