import type { LabelMaking, TrackerApi } from '../../../forge/forge.ts';
import { ForgeError } from '../../../forge/forgeError.ts';
import type { Label, NewLabel, TrackerRef } from '../../../forge/tracker.ts';
import { sentOnce } from '../../shared/sentOnce.ts';
import type { TicketStore } from '../ticketStore.ts';

/** The one way in which labels are made, changed and deleted. Each request is sent once, and looked for when its answer was lost. */
export interface LabelWrites {
	create(ref: TrackerRef, label: NewLabel, signal: AbortSignal): Promise<void>;
	change(ref: TrackerRef, name: string, change: Partial<NewLabel>, signal: AbortSignal): Promise<void>;
	remove(ref: TrackerRef, name: string, signal: AbortSignal): Promise<void>;
}

/** What changing labels needs. */
export interface LabelWriterParts {
	readonly api: Pick<TrackerApi, 'labels' | 'labelMaking'>;
	readonly store: Pick<TicketStore, 'renewLabels' | 'ticketList' | 'apply'>;
}

/** `ending`: when nobody looks any more for what was sent. */
export function labelWriter({ api, store }: LabelWriterParts, ending: AbortSignal): LabelWrites {
	function making(): LabelMaking {
		if (!api.labelMaking) {
			throw new ForgeError({ kind: 'notOffered' });
		}
		return api.labelMaking;
	}

	async function find(ref: TrackerRef, name: string, signal: AbortSignal): Promise<Label | undefined> {
		for await (const { items } of api.labels(ref, signal)) {
			const found = items.find((each) => each.name === name);
			if (found) {
				return found;
			}
		}
		return undefined;
	}

	/** The label has another name on all tickets that have it, or is gone from them. */
	function relabel(ref: TrackerRef, name: string, to: string | undefined): void {
		for (const { ticket } of store.ticketList(ref).indexed()) {
			if (ticket.labels.includes(name)) {
				const labels = ticket.labels.flatMap((each) => (each === name ? (to ?? []) : each));
				store.apply({ kind: 'ticketChanged', ticket: { ...ticket, labels } });
			}
		}
	}

	/** It was written, whether or not it can be read anew, and whether or not somebody still waits for it. */
	async function reread(ref: TrackerRef): Promise<void> {
		await Promise.allSettled([store.renewLabels(ref, ending)]);
	}

	return {
		async create(ref, label, signal) {
			await sentOnce(
				(sending) => making().create(ref, label, sending),
				(looking) => find(ref, label.name, looking),
				{ signal, looking: ending },
			);
			await reread(ref);
		},
		async change(ref, name, change, signal) {
			const newName = change.name ?? name;
			await sentOnce(
				(sending) => making().change(ref, name, change, sending),
				async (looking) => {
					const found = await find(ref, newName, looking);
					const { background } = change.colors ?? {};
					// Another one may have had the new name before.
					const isOther = newName !== name && (await find(ref, name, looking)) !== undefined;
					const isAsWanted = background === undefined || found?.colors.background === background;
					return isAsWanted && !isOther ? found : undefined;
				},
				{ signal, looking: ending },
			);
			if (newName !== name) {
				relabel(ref, name, newName);
			}
			await reread(ref);
		},
		async remove(ref, name, signal) {
			await sentOnce<unknown>(
				(sending) => making().remove(ref, name, sending),
				async (looking) => ((await find(ref, name, looking)) === undefined ? true : undefined),
				{ signal, looking: ending },
			);
			relabel(ref, name, undefined);
			await reread(ref);
		},
	};
}
