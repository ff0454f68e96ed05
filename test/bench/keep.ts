/** Keeps a result reachable until its time is taken, as the editor does. */
export function keep(made: unknown): void {
	kept.made = made;
}

const kept: { made: unknown } = { made: undefined };
