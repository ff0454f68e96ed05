type Child = Node | string | undefined;

/** Attributes by name; `undefined` leaves one out, `true` sets it without a value. */
export type Attributes = Readonly<Record<string, string | boolean | undefined>>;

/** Makes an element. Strings become text, never HTML. */
export function h<Name extends keyof HTMLElementTagNameMap>(
	name: Name,
	attributes: Attributes = {},
	...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
	const element = document.createElement(name);
	setAttributes(element, attributes);
	element.append(...children.filter((child) => child !== undefined));
	return element;
}

/** Sets and removes attributes. */
export function setAttributes(element: Element, attributes: Attributes): void {
	for (const [name, value] of Object.entries(attributes)) {
		if (value === undefined || value === false) {
			element.removeAttribute(name);
		} else {
			element.setAttribute(name, value === true ? '' : value);
		}
	}
}

/** What a button has that cannot be used: it stays reachable, so that the reason can be read and heard. Nothing without one. */
export function disabledBecause(reason: string | undefined): Attributes {
	return {
		'aria-disabled': reason === undefined ? undefined : 'true',
		'aria-description': reason,
		title: reason,
	};
}

/** Listens to a click; returns the element, so that it can be made in one expression. */
export function onClick<T extends HTMLElement>(element: T, listener: () => void): T {
	element.addEventListener('click', listener);
	return element;
}

/** Whether the keyboard is in the element or nowhere: whoever goes on writing elsewhere keeps it when the element goes. */
export function holdsFocus(element: Element): boolean {
	const { activeElement } = document;
	return activeElement === null || activeElement === document.body || element.contains(activeElement);
}

/** Puts children in place of those that are there, moving none that already stands right. */
export function replaceChildren(parent: Element, children: readonly Node[]): void {
	children.forEach((child, at) => {
		const present = parent.childNodes[at];
		if (present !== child) {
			parent.insertBefore(child, present ?? null);
		}
	});
	while (parent.childNodes.length > children.length) {
		parent.lastChild?.remove();
	}
}

interface HtmlPolicy {
	createHTML(html: string): string;
}

interface PolicyFactory {
	createPolicy(name: string, rules: HtmlPolicy): HtmlPolicy;
}

declare global {
	interface Window {
		readonly trustedTypes?: PolicyFactory;
	}
}

let policy: HtmlPolicy | undefined;

/** The one place where HTML is parsed. Takes only what the host made or what was bundled, never what a server sent. */
export function hostHtml(html: string): DocumentFragment {
	policy ??= window.trustedTypes?.createPolicy('forge-desk', { createHTML: (made) => made }) ?? {
		createHTML: (made) => made,
	};
	const template = document.createElement('template');
	template.innerHTML = policy.createHTML(html);
	// No policy of a page stops `http-equiv=refresh`.
	template.content.querySelectorAll('meta').forEach((meta) => meta.remove());
	return template.content;
}
