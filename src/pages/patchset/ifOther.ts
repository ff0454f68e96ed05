/** Draws only changed data, so that selections and open sections survive. */
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
