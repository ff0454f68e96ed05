/** Replaces the content and restores focus: to the control of the same name, else to the one in its position. */
export function redraw(place: Element, nodes: readonly Node[]): void {
	const before = controlsIn(place);
	const at = before.findIndex((control) => control === document.activeElement);
	const name = nameOf(before[at]);
	const earlier = before.slice(0, Math.max(0, at)).filter((control) => nameOf(control) === name).length;
	place.replaceChildren(...nodes);
	if (at !== -1) {
		const now = controlsIn(place);
		const same = now.filter((control) => nameOf(control) === name);
		(same[earlier] ?? same.at(-1) ?? now[at] ?? now.at(-1))?.focus({ preventScroll: true });
	}
}

function controlsIn(place: Element): readonly HTMLElement[] {
	return [...place.querySelectorAll<HTMLElement>('a[href], button, [tabindex]')];
}

function nameOf(control: HTMLElement | undefined): string {
	return control?.getAttribute('aria-label') ?? control?.textContent ?? '';
}
