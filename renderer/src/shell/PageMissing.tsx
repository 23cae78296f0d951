/** Shown instead of a page whose script could not be loaded. */
export function PageMissing() {
  return (
    <div className="empty">
      <h1>This page did not load</h1>
      <p>Handrail does not answer, or was updated since you opened the dashboard.</p>
      <p>
        <button type="button" className="primary" onClick={() => window.location.reload()}>
          Reload the dashboard
        </button>
      </p>
    </div>
  );
}
