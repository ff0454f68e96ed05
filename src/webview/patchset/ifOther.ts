/** Draws only what is different from what was drawn last: what is selected or unfolded in it stays so. */
export function ifOther<T>(draw: (view: T) => void): (view: T) => void {
	let said = '';
	return (view) => {
		const now = JSON.stringify(view);
		if (now !== said) {
			said = now;
			draw(view);
		}
	};
}
