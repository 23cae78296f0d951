/** The × of a card or a message. `label`: its name for assistive technology. */
export function CloseButton({ label, className = 'quiet', onClose }: Props) {
  return (
    <button type="button" className={className} aria-label={label} onClick={onClose}>
      ×
    </button>
  );
}

type Props = { label: string; className?: string; onClose(): void };
