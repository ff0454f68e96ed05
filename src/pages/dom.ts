type Child = Node | string | undefined;

/** Attributes by name; `undefined` omits one, `true` sets it without a value. */
export type Attributes = Readonly<Record<string, string | boolean | undefined>>;

/** Creates an element. Strings become text, never HTML. */
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

/** `undefined` and `false` remove an attribute. */
export function setAttributes(element: Element, attributes: Attributes): void {
	for (const [name, value] of Object.entries(attributes)) {
		if (value === undefined || value === false) {
			element.removeAttribute(name);
		} else {
			element.setAttribute(name, value === true ? '' : value);
		}
	}
}

/**
 * Attributes of a disabled button, which stays focusable, so that its reason remains accessible. Empty without a
 * reason.
 */
export function disabledBecause(reason: string | undefined): Attributes {
	return {
		'aria-disabled': reason === undefined ? undefined : 'true',
		'aria-description': reason,
		title: reason,
	};
}

/** Returns the element, for use in expressions. */
export function onClick<T extends HTMLElement>(element: T, listener: () => void): T {
	element.addEventListener('click', listener);
	return element;
}

/** A button. `attributes`: its class alone, or more. */
export function pushButton(
	attributes: string | Attributes,
	run: () => void,
	...children: readonly Child[]
): HTMLButtonElement {
	const all = typeof attributes === 'string' ? { class: attributes } : attributes;
	return onClick(h('button', { type: 'button', ...all }, ...children), run);
}

/** Runs one work at a time. The button stays focusable meanwhile. */
export async function oneAtATime(button: HTMLElement, work: () => Promise<void>): Promise<void> {
	if (button.getAttribute('aria-disabled') === 'true') {
		return;
	}
	button.setAttribute('aria-disabled', 'true');
	try {
		await work();
	} finally {
		button.removeAttribute('aria-disabled');
	}
}

/** True when the element or nothing has focus: only then may focus move with the element. */
export function holdsFocus(element: Element): boolean {
	const { activeElement } = document;
	return activeElement === null || activeElement === document.body || element.contains(activeElement);
}

/** Replaces children without moving those already in place. */
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

/** The only place that parses HTML. Accepts only HTML from the host or the bundle, never from a server. */
export function hostHtml(html: string): DocumentFragment {
	policy ??= window.trustedTypes?.createPolicy('forge-desk', { createHTML: (made) => made }) ?? {
		createHTML: (made) => made,
	};
	const template = document.createElement('template');
	template.innerHTML = policy.createHTML(html);
	// No content security policy blocks `http-equiv=refresh`.
	template.content.querySelectorAll('meta').forEach((meta) => meta.remove());
	return template.content;
}
