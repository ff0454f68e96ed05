/** Two colours, `#rrggbb` each. */
export interface ColorPair {
	readonly background: string;
	readonly text: string;
}

const rrggbb = /^#[0-9a-f]{6}$/i;

/** WCAG contrast that text needs. */
const enough = 4.5;

/**
 * A label's colours with readable text: the given text colour if its contrast is at least 4.5 to 1, otherwise black or
 * white, by the higher contrast. `undefined` when the background is no colour.
 */
export function readablePair({ background, text }: ColorPair): ColorPair | undefined {
	if (!rrggbb.test(background)) {
		return undefined;
	}
	if (rrggbb.test(text) && contrast(background, text) >= enough) {
		return { background, text };
	}
	const best = contrast(background, '#000000') >= contrast(background, '#ffffff') ? '#000000' : '#ffffff';
	return { background, text: best };
}

/** WCAG contrast ratio of two colours, 1 to 21. */
export function contrast(a: string, b: string): number {
	const [darker = 0, lighter = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
	return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: string): number {
	const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
		const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
		return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
