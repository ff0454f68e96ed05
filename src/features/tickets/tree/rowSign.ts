import type { Ticket } from '../../../forge/ticket.ts';
import type { Mark } from '../../../state/lookMarks.ts';

/** What rows look like, as one number: rows that look as they did need no redraw, and a redraw takes clicks away. */
export interface RowSign {
	add(ticket: Ticket, mark: Mark | undefined): void;
	value(): number;
}

/** Every change of a ticket on the forge changes its time; the rest tells what changes without it. */
export function rowSign(): RowSign {
	let sign = 17;
	const mix = (value: number): void => {
		sign = (Math.imul(sign, 31) + (value % 2_147_483_647)) % 2_147_483_647;
	};
	return {
		add({ id, updatedMs, title, status, resolution, labels, assignees }, mark) {
			mix(id);
			mix(updatedMs);
			mix(title.length);
			mix(status.length * 100 + resolution.length);
			mix(labels.length * 100 + assignees.length);
			mix(mark?.length ?? 0);
		},
		value: () => sign,
	};
}
