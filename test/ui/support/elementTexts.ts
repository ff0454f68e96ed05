/** Visible texts in `element`, and attributes that people read or hear. Runs in the page. */
export function textsIn(element: Element): readonly string[] {
	const texts: string[] = [];
	const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
	for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
		const holder = node instanceof Element ? node : node.parentElement;
		// Markdown and mails are texts by other people. The editor reuses rows of menus, and a row without a key keeps
		// the label of its last key.
		const others = 'script, style, .markdown, .letter-text, .monaco-keybinding:empty';
		if (holder === null || !holder.checkVisibility() || holder.closest(others)) {
			continue;
		}
		texts.push(
			...(node instanceof Element
				? ['aria-label', 'title', 'placeholder', 'alt'].map((name) => holder.getAttribute(name) ?? '')
				: [node.textContent ?? '']),
		);
	}
	return texts.map((text) => text.replaceAll(/\s+/g, ' ').trim());
}

/** Texts of controls and headings that are wider than their box, on a page of ours. Runs in the page. */
export function clippedTexts(element: Element): readonly string[] {
	return Array.from(element.querySelectorAll('main :is(button, a, h1, h2, h3, label, select)'))
		.filter(
			(each) =>
				each.clientWidth > 1 && // Others are for screen readers only.
				each.scrollWidth > each.clientWidth + 1 &&
				getComputedStyle(each).overflow !== 'visible',
		)
		.map((each) => `clipped: ${each.textContent ?? ''}`);
}
